import { expect, onTestFinished, test } from 'vitest';
import type { AssistantBlock, UserBlock } from '../../../../extension/core/ports/model.ts';
import { toAnthropicRequest } from '../../../../extension/core/providers/anthropic/to-request.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { type FakeOptions, playFixture } from '../../../../scripts/lib/claude/fake-anthropic.ts';
import type { Fixture } from '../../../../scripts/lib/wire/wire-server.ts';
import { answering, bytesOf, type WireFixture } from '../../../support/wire/fixtures.ts';
import { assistantBlocks, collect, expectEvents, neutral } from '../../../support/wire/neutral.ts';
import { ask, fixture, fixtures, KEY, provider, turn, unmarked } from './support.ts';

/** Tested on their own below: they are about more than one request, or about time. */
const APART = new Set(['A12', 'A25', 'A27', 'A30', 'A32']);

async function serve(played: Fixture, options?: FakeOptions) {
  const server = await playFixture(played, options);
  onTestFinished(() => server.close());
  return server;
}

test.each(fixtures.filter(({ id }) => !APART.has(id)))('$id: $purpose', async (given) => {
  const server = await serve(given);
  const events = await ask({ baseUrl: server.url, clock: systemClock });
  expectEvents(neutral(events), given.expect.events);
  expect(server.requests).toHaveLength(1);
});

const withHistory = fixtures.filter(({ id, expect: { events, history } }) => {
  const isComplete = events.every(
    (event) => event.type !== 'done' || !['error', 'refusal'].includes(String(event.reason)),
  );
  return history?.append && isComplete && !APART.has(id);
});

test.each(withHistory)('$id: the next request', async (given) => {
  const server = await serve(given);
  const reply = assistantBlocks(await ask({ baseUrl: server.url, clock: systemClock }));
  const messages = requestAfter(given, reply);
  const appended = given.expect.history?.append ?? [];
  expect(messages.slice(1, 1 + appended.length)).toEqual(appended.map(withFreeText));
  if (appended.length === 0) expect(messages).toHaveLength(1);
});

function requestAfter({ given, expect: { events } }: WireFixture, reply: readonly AssistantBlock[]) {
  const results: UserBlock[] = Object.entries(given?.toolResults ?? {}).map(([id, { content, isError }]) => ({
    type: 'tool_result',
    id,
    content,
    isError,
  }));
  const isPaused = events.some(({ reason }) => reason === 'pause');
  const call = reply.find((block) => block.type === 'tool_call');
  if (call && results.length === 0)
    results.push({ type: 'tool_result', id: call.id, content: 'no JSON', isError: true });
  const user: UserBlock[] = isPaused || results.length > 0 ? results : [{ type: 'text', text: 'go on' }];
  const messages = [
    ...turn().messages,
    { role: 'assistant', content: reply } as const,
    { role: 'user', content: user } as const,
  ];
  return unmarked(toAnthropicRequest(turn({ messages }), new Set())).messages;
}

/** `<…>` in a fixture stands for any value. */
function withFreeText(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message), (_key, value) =>
    typeof value === 'string' && value.startsWith('<') ? expect.anything() : value,
  );
}

test('A12: the provider tells of the overload and how long to wait; the loop sends again', async () => {
  const given = fixture('A12');
  const server = await serve(given);
  const options = { baseUrl: server.url, clock: systemClock };
  const [failure] = await ask(options);
  expect(failure).toMatchObject({
    type: 'error',
    error: {
      kind: 'overloaded',
      retryable: true,
      retryAfterMs: 1000,
      status: 529,
      message: 'Claude is overloaded.',
    },
  });
  expect(server.requests).toHaveLength(1);
  expectEvents(neutral(await ask(options)), given.expect.events);
  expect(server.requests).toHaveLength(2);
});

test('A14: the call that was cut is named and not reported', async () => {
  const server = await serve(fixture('A14'));
  const events = await ask({ baseUrl: server.url, clock: systemClock });
  expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'length', cutCall: 'write_file' });
});

test('A23: a call whose arguments are no JSON says so and has no input', async () => {
  const server = await serve(fixture('A23'));
  const events = await ask({ baseUrl: server.url, clock: systemClock });
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'tool_call',
      name: 'write_file',
      input: {},
      invalid: expect.stringMatching(/^the arguments are not valid JSON: .* position 32/),
    }),
  );
});

test('A24: the message names both numbers', async () => {
  const server = await serve(fixture('A24'));
  const [failure] = await ask({ baseUrl: server.url, clock: systemClock });
  expect(failure).toMatchObject({ error: { message: expect.stringMatching(/1012345 tokens.*1000000/) } });
});

const thought = (signature: string): AssistantBlock => ({
  type: 'reasoning',
  text: '',
  opaque: {
    provider: 'anthropic',
    model: 'claude-opus-5-5',
    data: { type: 'thinking', thinking: '', signature },
  },
});

function conversation(...thoughts: readonly AssistantBlock[]) {
  return turn({
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'q' }] },
      { role: 'assistant', content: [...thoughts, { type: 'text', text: 'a' }] },
      { role: 'user', content: [{ type: 'text', text: 'q2' }] },
    ],
  });
}

test('A25: thinking that is not taken back is left out, once and for all', async () => {
  const given = fixture('A25');
  const server = await serve(given);
  const asked = provider({ baseUrl: server.url, clock: systemClock });
  const signal = new AbortController().signal;
  const events = await collect(asked.streamTurn(conversation(thought('EqOld')), signal));
  expectEvents(neutral(events), given.expect.events);
  expect(server.requests.map(({ raw }) => raw.includes('EqOld'))).toEqual([true, false]);

  await collect(asked.streamTurn(conversation(thought('EqOld'), thought('EqNew')), signal));
  expect(server.requests).toHaveLength(3);
  expect(server.requests[2]?.raw).not.toContain('EqOld');
  expect(server.requests[2]?.raw).toContain('EqNew');
});

test('A25: a refusal that persists is told after the one repair', async () => {
  const refusal = fixture('A25').exchanges?.[0];
  if (!refusal) throw new Error('A25 has no exchanges');
  const server = await serve(refusal);
  const events = await collect(
    provider({ baseUrl: server.url, clock: systemClock }).streamTurn(
      conversation(thought('EqOld')),
      new AbortController().signal,
    ),
  );
  expect(events).toMatchObject([{ type: 'error', error: { kind: 'invalid_request', retryable: false } }]);
  expect(server.requests).toHaveLength(2);
});

test.each(fixture('A32').given?.each ?? [])('A32: $status $type is $kind', async (row) => {
  const body = { type: 'error', error: { type: row.type, message: row.message }, request_id: 'r' };
  const chunks = [{ delayMs: 0, data: JSON.stringify(body) }];
  const server = await serve({ ...fixture('A32'), status: row.status, chunks });
  const events = await ask({ baseUrl: server.url, clock: systemClock });
  expect(events).toMatchObject([
    { type: 'error', error: { kind: row.kind, retryable: row.retryable, status: row.status } },
  ]);
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['Anthropic', undefined, null],
  ['another server, which may look for it elsewhere', 'https://proxy.example.com', KEY],
])('%s gets the key', async (_who, baseUrl, elsewhere) => {
  const sent: Headers[] = [];
  const good = answering({ status: 200, headers: {}, close: 'end' }, bytesOf(fixture('A01')));
  const fetch: typeof globalThis.fetch = (input, init) => {
    sent.push(new Headers(init?.headers));
    return good(input, init);
  };
  await ask({ baseUrl, fetch });
  expect(sent.map((headers) => headers.get('authorization'))).toEqual([`Bearer ${KEY}`]);
  expect(sent.map((headers) => headers.get('x-api-key'))).toEqual([elsewhere]);
});

test('The request goes out as the SDK sends it', async () => {
  const server = await serve(fixture('A01'), { apiKey: KEY });
  await ask({ baseUrl: server.url, clock: systemClock });
  expect(server.requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${KEY}`,
    'anthropic-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    'content-type': 'application/json',
  });
  expect(server.requests[0]?.body).toMatchObject({
    model: 'claude-opus-5-5',
    stream: true,
    max_tokens: 4096,
  });
});
