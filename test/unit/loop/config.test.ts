import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createConfig, SHIPPED } from '../../../extension/core/loop/config.ts';
import { Router } from '../../../extension/core/providers/router.ts';

test('the defaults: 4096 tokens, 10 turns, 15 calls, no instructions of the user', () => {
  expect(createConfig({ apiKey: 'k' })).toEqual({
    apiKey: 'k',
    baseUrl: '',
    provider: expect.objectContaining({ name: 'anthropic' }),
    model: 'claude-sonnet-5-5',
    maxTokens: 4096,
    maxTurns: 10,
    maxToolCallsPerTurn: 15,
    toolOrder: 'grouped',
    timeoutMs: 30_000,
    systemPrompt: '',
  });
});

test.each([
  [{}, 'no_key', 'Set API Key'],
  [{ apiKey: '' }, 'no_key', 'Set API Key'],
  [{ apiKey: 'k', maxTokens: 0 }, 'config', 'maxTokens'],
  [{ apiKey: 'k', maxTurns: 1.5 }, 'config', 'maxTurns'],
  [{ apiKey: 'k', model: 'gpt/9' }, 'not_found', 'Unknown model “gpt/9”'],
  [{ apiKey: 'k', model: 'toString' }, 'not_found', 'toString'],
  [{ apiKey: 'k', model: 'anthropic/' }, 'not_found', 'anthropic/'],
])('%j is refused with words that help', (input, code, words) => {
  expect(() => createConfig(input)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(words) }),
  );
});

test.each([
  ['openai/m', 'http://127.0.0.1:8080/v1', true],
  ['gemini/m', 'https://proxy.example.com', true],
  ['openai/m', 'https://api.openai.com/v1/', false],
  ['openai/m', '', false],
  ['opus', 'https://proxy.example.com', false],
])('%s at “%s” without a key: %j', (model, baseUrl, isFine) => {
  const create = () => createConfig({ model, baseUrl });
  if (isFine) expect(create()).toMatchObject({ apiKey: '', baseUrl });
  else expect(create).toThrow(expect.objectContaining({ code: 'no_key' }));
});

test('an endpoint of the user’s own has a key, or says that it is keyless', () => {
  const at = (keyless?: boolean) => {
    const endpoint = { name: 'box', baseUrl: 'http://10.0.0.2/v1', ...(keyless && { keyless }) };
    return () => createConfig({ model: 'box/m' }, new Router({ endpoints: [endpoint] }));
  };
  expect(at()).toThrow(expect.objectContaining({ code: 'no_key' }));
  expect(at(true)()).toMatchObject({ apiKey: '', provider: { name: 'box' } });
});

test('what is refused is not what is proposed', () => {
  const words = /Did you mean (.+)\? Use/;
  const refused = () => createConfig({ apiKey: 'k', model: 'codex/' });
  expect(refused).toThrow(words);
  expect(refused).not.toThrow(/mean ([^?]+, )?codex\/[,?]/);
});

test('the demo needs no key', () => {
  expect(createConfig({ model: 'demo' })).toMatchObject({ provider: { name: 'demo' }, model: 'demo' });
});

test.each([
  ['opus', 'claude-opus-5-5'],
  ['claude-x-9', 'claude-x-9'],
  ['anthropic/claude-x-9', 'claude-x-9'],
])('%s is Claude’s %s', (reference, model) => {
  expect(createConfig({ apiKey: 'k', model: reference })).toMatchObject({
    provider: { name: 'anthropic' },
    model,
  });
});

test('what ships is what the editor’s settings declare', async () => {
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
    contributes: { configuration: { properties: Record<string, { default: unknown }> }[] };
  };
  const declared = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  for (const [name, value] of Object.entries(SHIPPED)) {
    expect(Object.fromEntries(declared)[`harness.${name}`]).toMatchObject({ default: value });
  }
});
