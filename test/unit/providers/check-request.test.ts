// A conversation that the API would refuse is not sent: neither now nor with every later request.
import { expect, onTestFinished, test } from 'vitest';
import type {
  AssistantBlock,
  Message,
  ToolSpec,
  Turn,
  UserBlock,
} from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { createProvider } from '../../../extension/core/providers/create-provider.ts';
import { Router } from '../../../extension/core/providers/router.ts';
import { isWellFormed } from '../../../extension/core/providers/wire/unicode.ts';
import { plain, playBytes } from '../../../scripts/lib/wire/wire-server.ts';
import { collect } from '../../support/wire/neutral.ts';

const user = (...content: UserBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: AssistantBlock[]): Message => ({ role: 'assistant', content });
const asked = user({ type: 'text', text: 'q' });
const call = (id: string) => ({ type: 'tool_call', id, name: 'read', input: {} }) as const;
const result = (id: string) => ({ type: 'tool_result', id, content: 'r', isError: false }) as const;
const tool = (name: string): ToolSpec => ({ name, description: '', inputSchema: { type: 'object' } });

const MODELS = [
  'anthropic/claude-x',
  'codex/gpt-5.6-sol',
  'openai/gpt-x',
  'mistral/mistral-large',
  'ollama/qwen3',
  'lmstudio/qwen3',
];

/** The events of a turn, and how many requests for a reply were made. */
async function send(name: string, changes: Partial<Turn>) {
  const server = await playBytes(plain(400, { error: { message: 'No.' } }));
  onTestFinished(() => server.close());
  const { entry, model } = new Router().resolve(name);
  const access = { apiKey: 'sk-of-a-test', baseUrl: server.url, clock: new ManualClock() };
  const provider = await createProvider(entry, access);
  const turn = {
    model,
    system: 'Work.',
    messages: [asked],
    tools: [tool('read')],
    maxTokens: 4096,
    ...changes,
  };
  const events = await collect(provider.streamTurn(turn, new AbortController().signal));
  return { events, sent: server.requests.filter(({ raw }) => raw.includes('"stream":true')).length };
}

const FAULTS: readonly (readonly [fault: RegExp, changes: Partial<Turn>])[] = [
  [/“c00000001” has no result/, { messages: [asked, assistant(call('c00000001')), asked] }],
  [
    /“c00000002” has no result/,
    { messages: [asked, assistant(call('c00000001'), call('c00000002')), user(result('c00000001'))] },
  ],
  [
    /“c00000001” has no call/,
    { messages: [asked, assistant(call('c00000001')), user(result('c00000001'), result('c00000001'))] },
  ],
  [/“c00000009” has no call/, { messages: [asked, user(result('c00000009'))] }],
  [
    /two calls have the id/,
    {
      messages: [
        asked,
        assistant(call('c00000001'), call('c00000001')),
        user(result('c00000001'), result('c00000001')),
      ],
    },
  ],
  [/nothing is said/, { messages: [user({ type: 'text', text: ' ' })], system: '' }],
  [/can have the name “a b”/, { tools: [tool('a b')] }],
  [/two tools have the name “read”/, { tools: [tool('read'), tool('read')] }],
];

const CASES = MODELS.flatMap((model) => FAULTS.map(([fault, changes]) => ({ model, fault, changes })));

test.each(CASES)(
  '$model is not sent a conversation of which it is true that $fault',
  async ({ model, fault, changes }) => {
    const { sent, events } = await send(model, changes);
    expect(sent).toBe(0);
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'invalid_request', retryable: false } }]);
    const [message] = events.map((event) => (event.type === 'error' ? event.error.message : ''));
    expect(message).toMatch(fault);
    expect(message).toMatch(/was not sent.*Nothing is lost/);
  },
);

test.each(MODELS)('%s is sent what is in order', async (model) => {
  const messages = [
    asked,
    assistant(call('c00000001'), call('c00000002')),
    user(result('c00000001'), result('c00000002')),
    asked,
  ];
  expect((await send(model, { messages })).sent).toBe(1);
});

test('half a character is found wherever it is', () => {
  expect(isWellFormed({ a: ['😀', { b: 'ü', c: null }] })).toBe(true);
  expect(isWellFormed({ a: ['😀', { b: '\ud83d' }] })).toBe(false);
  expect(isWellFormed({ '\ude00': 1 })).toBe(false);
});
