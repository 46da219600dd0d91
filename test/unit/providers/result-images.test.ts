// The picture of a result, as each API takes it.
import { expect, test } from 'vitest';
import type { ImageBlock, Message, Turn } from '../../../extension/core/ports/model.ts';
import { toAnthropicRequest } from '../../../extension/core/providers/anthropic/to-request.ts';
import { toCodexRequest } from '../../../extension/core/providers/codex/to-request.ts';
import { toOllamaRequest } from '../../../extension/core/providers/ollama/to-request.ts';
import { COMMON } from '../../../extension/core/providers/openai/dialect.ts';
import { toMessages } from '../../../extension/core/providers/openai/to-messages.ts';
import { toChatMessages } from '../../../extension/vscode/language-models/to-chat-messages.ts';

const image: ImageBlock = { type: 'image', name: 'a.png', mediaType: 'image/png', data: 'AAAA' };
const answer: Message = {
  role: 'user',
  content: [
    {
      type: 'tool_result',
      id: 'call_1',
      content: '(the picture: image/png)',
      isError: false,
      images: [image],
    },
  ],
};
const turn: Turn = {
  ...{ model: 'm', system: 'Work.', tools: [], maxTokens: 100 },
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Look' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_call', id: 'call_1', name: 'read', input: { path: 'a.png' } }],
    },
    answer,
  ],
};

test('Anthropic: beside the text of the result', () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
  expect(toAnthropicRequest(turn, new Set()).messages.at(-1)?.content).toMatchObject([
    { type: 'tool_result', content: [{ type: 'text' }, { type: 'image', source }] },
  ]);
});

test('Codex: a part of the output', () => {
  expect((toCodexRequest(turn).input as unknown[]).at(-1)).toMatchObject({
    type: 'function_call_output',
    output: [{ type: 'input_text' }, { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
  });
});

const listener = { provider: 'openai', model: 'm', dialect: COMMON, images: true };

test('Chat Completions: in the message after the results, for a model that sees', () => {
  expect(toMessages(answer, listener)).toMatchObject([
    { role: 'tool', content: '(the picture: image/png)' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
  ]);
  expect(toMessages(answer, { ...listener, images: false })).toMatchObject([
    { role: 'tool' },
    { role: 'user', content: expect.stringContaining('You cannot see images') },
  ]);
});

test('Ollama: in the message after the results, for a model that sees', () => {
  const send = (...capabilities: string[]) =>
    toOllamaRequest(
      turn,
      { window: 1_000, isRemote: false, capabilities: new Set(capabilities) },
      undefined,
    ).messages.at(-1);
  expect(send('vision')).toMatchObject({ role: 'user', images: ['AAAA'] });
  const words = expect.stringContaining('this model cannot see');
  expect(send('tools')).toMatchObject({ role: 'user', content: words });
  expect(send('tools')).not.toHaveProperty('images');
});

test('VS Code: a sentence, because its API has no pictures', () => {
  const text = JSON.stringify(toChatMessages(turn).at(-1));
  expect(text).toContain('(the picture: image/png)');
  expect(text).toContain('this model cannot see');
});
