import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Message } from '../../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { type ModelFacts, UNKNOWN_FACTS } from '../../../../extension/core/providers/ollama/model-facts.ts';
import { thinkFor } from '../../../../extension/core/providers/ollama/ollama-provider.ts';
import { toOllamaRequest } from '../../../../extension/core/providers/ollama/to-request.ts';
import { collect } from '../../../support/wire/neutral.ts';
import { MODEL, provider, turn } from './support.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const own = { provider: 'ollama', model: MODEL, data: {} };

const conversation: Message[] = [
  user('Do it.'),
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'First look.', opaque: own },
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'c1', name: 'read', input: { path: 'a', lone: '\ud800' } },
      { type: 'tool_call', id: 'c2', name: 'list', input: {} },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', id: 'c2', content: '', isError: true },
      { type: 'tool_result', id: 'c1', content: 'A', isError: false },
      { type: 'text', text: 'Hurry.' },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  user('Thanks \ud83d!'),
];

const sent = (messages: readonly Message[], facts: ModelFacts = UNKNOWN_FACTS, model = MODEL) =>
  toOllamaRequest(turn({ messages, model }), facts, undefined).messages;

test('A whole conversation: results in the order of the calls, with the names of their tools', () => {
  expect(sent(conversation)).toEqual([
    { role: 'system', content: 'Work.' },
    { role: 'user', content: 'Do it.' },
    {
      role: 'assistant',
      content: 'I look.',
      thinking: 'First look.',
      tool_calls: [
        { id: 'c1', function: { name: 'read', arguments: { path: 'a', lone: '\ufffd' } } },
        { id: 'c2', function: { name: 'list', arguments: {} } },
      ],
    },
    { role: 'tool', tool_name: 'read', tool_call_id: 'c1', content: 'A' },
    { role: 'tool', tool_name: 'list', tool_call_id: 'c2', content: '(empty)' },
    { role: 'user', content: 'Hurry.' },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Thanks \ufffd!' },
  ]);
});

test('Thinking of another model or provider stays at home, and a reply of nothing else is left out', () => {
  expect(JSON.stringify(sent(conversation, UNKNOWN_FACTS, 'llama3'))).not.toContain('First look.');
  const opaque = { provider: 'anthropic', model: MODEL, data: {} };
  const foreign: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.', opaque }] };
  expect(sent([user('q'), foreign, user('r')]).map(({ role }) => role)).toEqual(['system', 'user', 'user']);
});

test('Requests of a conversation begin with the same bytes', () => {
  const bodies = [1, 3, 5].map((count) =>
    JSON.stringify(
      toOllamaRequest(turn({ messages: conversation.slice(0, count) }), UNKNOWN_FACTS, undefined),
    ),
  );
  for (const [index, later] of bodies.slice(1).entries())
    expect(later.startsWith((bodies[index] ?? '').slice(0, -2))).toBe(true);
});

test('Images go as Base64 beside the text, to a model that sees', () => {
  const image = { type: 'image', name: 'i', mediaType: 'image/png', data: 'iVBORw0=' } as const;
  const missing = { type: 'image', name: 'j', mediaType: 'image/png' } as const;
  const message: Message = { role: 'user', content: [{ type: 'text', text: 'See:' }, image, missing] };
  expect(sent([message]).at(-1)).toEqual({
    role: 'user',
    content: 'See:\n\n(An image was attached here. Its file is missing now.)',
    images: ['iVBORw0='],
  });
  const blind = { ...UNKNOWN_FACTS, capabilities: new Set(['completion']) };
  const unseen = sent([{ role: 'user', content: [image] }], blind).at(-1);
  expect(unseen).not.toHaveProperty('images');
  expect(unseen?.content).toContain('cannot see');
});

test('Tools go as functions; two with the same schema keep their names', () => {
  const inputSchema = { $schema: 'x', type: 'object', properties: {} };
  const tools = ['a', 'b'].map((name) => ({ name, description: `The ${name}.`, inputSchema }));
  expect(toOllamaRequest(turn({ tools }), UNKNOWN_FACTS, undefined).tools).toEqual(
    ['a', 'b'].map((name) => ({
      type: 'function',
      function: { name, description: `The ${name}.`, parameters: { type: 'object', properties: {} } },
    })),
  );
  expect(toOllamaRequest(turn(), UNKNOWN_FACTS, undefined)).not.toHaveProperty('tools');
});

test('A reply is never longer than the window', () => {
  const facts = { ...UNKNOWN_FACTS, window: 16_384 };
  const { options } = toOllamaRequest(turn({ maxTokens: 32_000 }), facts, undefined);
  expect(options).toEqual({ num_ctx: 16_384, num_predict: 16_384 });
});

const LEVELS = ['low', 'medium', 'high'];

test.each([
  [undefined, [false, true], undefined],
  ['none', [false, true], false],
  ['low', [false, true], true],
  ['xhigh', [false, true], true],
  ['none', LEVELS, 'low'],
  ['minimal', LEVELS, 'low'],
  ['medium', LEVELS, 'medium'],
  ['xhigh', LEVELS, 'high'],
  ['xhigh', ['high', 'max', false], 'high'],
  ['none', ['high', 'max', false], false],
  ['high', [], undefined],
  ['none', undefined, undefined],
  ['high', undefined, true],
  ['high', [false], undefined],
] as const)('Effort %s of a model that takes %j is think %s', (effort, values, think) => {
  expect(thinkFor(effort, values)).toBe(think);
});

test('A call of what is no tool gets a name that one could have, its result the same', () => {
  const called: Message[] = [
    user('Do it.'),
    { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'no such tool', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', id: 'c1', content: 'x', isError: true }] },
  ];
  expect(sent(called).slice(2)).toMatchObject([
    { tool_calls: [{ function: { name: 'no_such_tool' } }] },
    { tool_name: 'no_such_tool' },
  ]);
});

test('A model that loads for an hour is waited for, until the user stops', async () => {
  const clock = new ManualClock();
  let isAsked = false;
  const silent: typeof fetch = (_input, init) => {
    isAsked = true;
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  };
  const abort = new AbortController();
  const asked = provider({ clock, fetch: silent });
  const events = collect(asked.streamTurn(turn(), abort.signal));
  await expect.poll(() => isAsked).toBe(true);
  // One long step would look like a computer that was asleep.
  for (let minutes = 0; minutes < 60; minutes += 5) {
    clock.advance(5 * 60_000);
    await setImmediate();
  }
  abort.abort();
  expect(await events).toEqual([]);
});
