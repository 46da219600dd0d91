import { describe, expect, test } from 'vitest';
import { Router } from '../../../extension/core/providers/router.ts';

const box = { name: 'box', baseUrl: 'http://10.0.0.2:8000/v1', models: ['llama-*', 'a.b'] };

function meant(text: string, router = new Router()): string {
  const { provider, model } = router.resolve(text);
  return `${provider}/${model}`;
}

test.each([
  ['sonnet', 'anthropic/'],
  ['opus', 'anthropic/'],
  ['haiku', 'anthropic/'],
  ['gpt', 'codex/'],
  ['gemini', 'gemini/'],
  ['flash', 'gemini/'],
])('%s is one of %s', (alias, provider) => {
  expect(meant(alias).startsWith(provider)).toBe(true);
});

test.each([
  ['claude-x-9', 'anthropic/claude-x-9'],
  ['gpt-5', 'codex/gpt-5'],
  ['o4-mini', 'codex/o4-mini'],
  ['gemini-9', 'gemini/gemini-9'],
  ['grok-5', 'xai/grok-5'],
  ['openrouter/meta-llama/llama-4', 'openrouter/meta-llama/llama-4'],
  [' ollama/qwen3:8b ', 'ollama/qwen3:8b'],
])('%s is %s', (text, expected) => {
  expect(meant(text)).toBe(expected);
});

test('an endpoint of the user has its ids, and takes the place of a provider of its name', () => {
  const groq = { name: 'groq', baseUrl: 'http://10.0.0.3/v1' };
  const router = new Router({ endpoints: [box, groq] });
  expect(meant('llama-4', router)).toBe('box/llama-4');
  expect(meant('a.b', router)).toBe('box/a.b');
  expect(() => meant('axb', router)).toThrow('Unknown model “axb”');
  expect(router.resolve('groq/x').entry.baseUrl).toBe(groq.baseUrl);
  expect(router.providers.filter(({ name }) => name === 'groq')).toHaveLength(1);
});

describe('the user’s short names', () => {
  test('come before the built-in ones, and may stand for one of them', () => {
    const router = new Router({ aliases: { sonnet: 'groq/llama-4', fast: 'haiku', faster: 'fast' } });
    expect(meant('sonnet', router)).toBe('groq/llama-4');
    expect(meant('faster', router)).toBe(meant('haiku'));
  });

  test('one that stands for itself, or for no model, is refused with what it stands for', () => {
    const router = new Router({ aliases: { a: 'b', b: 'a', mine: 'groc/llama-4' } });
    expect(() => meant('a', router)).toThrow('Unknown model “a”');
    expect(() => meant('mine', router)).toThrow('Unknown model “groc/llama-4”. Did you mean groq/llama-4?');
  });
});

test.each([
  ['sonet', 'Did you mean sonnet?'],
  ['antropic/claude-opus-4', 'Did you mean anthropic/claude-opus-4'],
  ['groc/llama-4', 'Did you mean groq/llama-4?'],
  ['openruter/a/b', 'Did you mean openrouter/a/b?'],
  ['llmstudio/x', 'Did you mean lmstudio/x?'],
  ['zzz/x', 'Use provider/model (providers: anthropic, '],
  ['toString', 'Use provider/model'],
  ['anthropic/', 'Unknown model “anthropic/”'],
])('%s is refused: %s', (text, words) => {
  expect(() => meant(text)).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(() => meant(text)).toThrow(words);
});
