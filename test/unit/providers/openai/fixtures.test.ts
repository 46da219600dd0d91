import { describe, expect, onTestFinished, test } from 'vitest';
import type { Message, UserBlock } from '../../../../extension/core/ports/model.ts';
import { createOpenAiProvider } from '../../../../extension/core/providers/openai/openai-provider.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { type Fixture, playBytes } from '../../../../scripts/lib/wire/wire-server.ts';
import { type Conformance, testEveryByte, testFixtures } from '../../../support/wire/conformance.ts';
import type { WireFixture } from '../../../support/wire/fixtures.ts';
import { assistantBlocks, collect } from '../../../support/wire/neutral.ts';
import { ask, entryOf, fixture, fixtures, ownerOf, provider, requestOf, turn } from './support.ts';

const conformance: Conformance = {
  fixtures,
  // A table.
  apart: new Set(['C37']),
  create: (options, { id }) => createOpenAiProvider({ ...options, entry: entryOf(ownerOf(id).provider) }),
  turn: ({ id }) => turn({ model: ownerOf(id).model }),
};

describe('over a socket', () => testFixtures(conformance));
describe('byte for byte', () => testEveryByte(conformance));

test('there are all the fixtures of the matrix', () => {
  expect(fixtures).toHaveLength(32);
});

async function serve(played: Fixture) {
  const server = await playBytes(played);
  onTestFinished(() => server.close());
  return server;
}

const statuses = (fixture('C37').given?.each ?? []).map((row, index) => ({ ...row, index }));

test.each(statuses)('C37, row $index: $status is $kind', async ({ status, body, headers, ...row }) => {
  const data = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = { ...fixture('C37'), status, chunks: [{ delayMs: 0, data }] };
  const server = await serve({ ...answer, headers: { ...answer.headers, ...headers } });
  const [failure, ...rest] = await ask({ baseUrl: server.url, clock: systemClock });
  expect(rest).toEqual([]);
  expect(failure).toMatchObject({
    type: 'error',
    error: {
      kind: expect.toSatisfy((kind: string) => row.kind.split(' or ').includes(kind)),
      retryable: row.retryable,
      status,
      ...(row.retryAfterMs && { retryAfterMs: row.retryAfterMs }),
    },
  });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['C26', 130_000, 128_000],
  ['C32', 170_000, 163_840],
  ['C16', 13_055, 4096],
])('%s: the message names both numbers', async (id, used, limit) => {
  const server = await serve(fixture(id));
  const events = await ask({ baseUrl: server.url, clock: systemClock });
  const message = expect.stringMatching(new RegExp(`${used} tokens; the limit is ${limit}`));
  expect(events.at(-1)).toMatchObject({ error: { kind: 'context_overflow', message } });
});

const withHistory = fixtures.filter(
  ({ id, expect: { history } }) => history?.append && history.append.length > 0 && id !== 'C37',
);

test.each(withHistory)('$id: the next request', async (given) => {
  const { provider: name, model } = ownerOf(given.id);
  const entry = entryOf(name);
  const server = await serve(given);
  const reply = await ask({ entry, baseUrl: server.url, clock: systemClock }, { model });
  const messages = conversation(given, assistantBlocks(reply));
  const body = await requestOf({ model, messages }, { entry, baseUrl: server.url });
  const appended = given.expect.history?.append ?? [];
  expect(body.messages.slice(2, 2 + appended.length)).toEqual(appended.map(withFreeText));
});

function conversation(
  { given, expect: { events } }: WireFixture,
  reply: ReturnType<typeof assistantBlocks>,
): Message[] {
  const told = new Map(Object.entries(given?.toolResults ?? {}));
  const calls = events.filter(({ type }) => type === 'tool_call');
  const results = calls.map(({ id }): UserBlock => {
    const { content, isError = false } = told.get(String(id)) ?? { content: 'not executed', isError: true };
    return { type: 'tool_result', id: String(id), content, isError };
  });
  const said = given?.userSays;
  const text: UserBlock[] =
    said === undefined && results.length > 0 ? [] : [{ type: 'text', text: said ?? 'go on' }];
  return [
    ...turn().messages,
    { role: 'assistant', content: reply },
    { role: 'user', content: [...results, ...text] },
  ];
}

/** `<…>` in a fixture stands for any value. */
function withFreeText(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message), (key, value) => {
    if (typeof value !== 'string' || !value.startsWith('<') || value.startsWith('<tool_call>')) return value;
    return key === 'content' && value.startsWith('<null') ? expect.toSatisfy(isNothing) : expect.anything();
  });
}

const isNothing = (value: unknown) => value === null || value === '';

test('a fixture aborted before its first byte is silent, and the server sees it', async () => {
  const server = await serve({ ...fixture('C01'), close: 'hang', chunks: [] });
  const abort = new AbortController();
  const events = collect(
    provider({ baseUrl: server.url, clock: systemClock }).streamTurn(turn(), abort.signal),
  );
  await expect.poll(() => server.requests.length).toBe(1);
  abort.abort();
  expect(await events).toEqual([]);
  await expect.poll(() => server.requests[0]?.disconnected).toBe(true);
});

test('the requests of a conversation begin with the same bytes', async () => {
  const bodies: string[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    bodies.push(String(init?.body));
    return new Response('data: [DONE]\n\n');
  };
  const asked = provider({ fetch });
  const tools = [{ name: 'ls', description: 'It lists.', inputSchema: {} }];
  const messages: Message[] = [...turn().messages];
  for (const step of ['a', 'b', 'c']) {
    await collect(asked.streamTurn(turn({ messages, tools }), new AbortController().signal));
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_call', id: `call_${step}`, name: 'ls', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', id: `call_${step}`, content: step, isError: false },
          { type: 'context', kind: 'environment', text: `<environment>${step}</environment>` },
        ],
      },
    );
  }
  const prefixes = bodies.map((body) => body.slice(0, -']}'.length));
  for (const [index, later] of prefixes.slice(1).entries())
    expect(later.startsWith(prefixes[index] ?? '')).toBe(true);
});
