// Each provider's whole first request, so that a review shows every change of what a model reads.
import { expect, test } from 'vitest';
import { toChatMessages, toChatTools } from '../../../extension/vscode/language-models/to-chat-messages.ts';
import { firstRequest, firstTurn, fixedTokens } from '../../support/first-request.ts';

const MODELS = [
  ['anthropic', 'claude-opus-4-6'],
  ['codex', 'gpt-5-codex'],
  ['openai', 'gpt-5'],
  ['ollama', 'qwen3'],
  ['lmstudio', 'qwen3'],
] as const;

/** JSON whose texts keep their lines. */
function readable(request: unknown): string {
  return `${JSON.stringify(request, null, 2).replaceAll('\\n', '\n')}\n`;
}

test.each(MODELS)('%s gets this first request', async (name, model) => {
  const request = await firstRequest(name, model);
  expect(request).toMatchObject({ model });
  await expect(readable(request)).toMatchFileSnapshot(`snapshots/${name}.txt`);
});

test('a model of VS Code gets this first request', async () => {
  const turn = firstTurn('vscode', 'copilot');
  const request = { messages: toChatMessages(turn), tools: toChatTools(turn.tools) };
  await expect(readable(request)).toMatchFileSnapshot('snapshots/vscode.txt');
});

test('the prompt and the tools take at most 3,500 tokens of Claude', async () => {
  const tokens = await fixedTokens('anthropic');
  expect(tokens).toBeGreaterThan(1_000);
  expect(tokens).toBeLessThanOrEqual(3_500);
});

test('Codex gets its own tools and no sentence about those that they replace', async () => {
  const text = readable(await firstRequest('codex', 'gpt-5-codex'));
  expect(text).toContain('"name": "apply_patch"');
  expect(text).toMatch(/"step"/);
  expect(text).not.toMatch(/\b(edit|write)\b(?! files)/);
});

test('other models get edit and write, and no word of apply_patch', async () => {
  const text = readable(await firstRequest('anthropic', 'claude-opus-4-6'));
  expect(text).toContain('"name": "edit"');
  expect(text).toContain('"name": "write"');
  expect(text).not.toContain('apply_patch');
});
