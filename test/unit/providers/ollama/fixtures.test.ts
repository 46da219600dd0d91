import { expect, onTestFinished, test } from 'vitest';
import type { UserBlock } from '../../../../extension/core/ports/model.ts';
import { UNKNOWN_FACTS } from '../../../../extension/core/providers/ollama/model-facts.ts';
import { toOllamaRequest } from '../../../../extension/core/providers/ollama/to-request.ts';
import { fetchWithProbes } from '../../../../extension/node/fetch.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { type Fixture, playBytes } from '../../../../scripts/lib/wire/wire-server.ts';
import { until } from '../../../support/until.ts';
import { testEveryByte, testFixtures } from '../../../support/wire/conformance.ts';
import type { WireFixture } from '../../../support/wire/fixtures.ts';
import { assistantBlocks, collect, expectEvents, neutral } from '../../../support/wire/neutral.ts';
import { ask, bodyOf, fixture, fixtures, provider, turn } from './support.ts';

const tried = {
  fixtures,
  /** Two are about more than one request, and one is about time. */
  apart: new Set(['O16', 'O18', 'O19']),
  create: provider,
  turn: () => turn(),
};

testFixtures(tried);
testEveryByte(tried);

async function serve(played: Fixture) {
  const server = await playBytes(played);
  onTestFinished(() => server.close());
  return server;
}

const answered = fixtures.filter(({ expect: { events, history } }) => {
  const isComplete = events.every(({ type, reason }) => type !== 'done' || reason !== 'error');
  return isComplete && (history?.append?.length ?? 0) > 0;
});

test.each(answered)('$id: the next request', async (given) => {
  const server = await serve({ ...given, exchanges: [(given.exchanges ?? [given]).at(-1) ?? given] });
  const reply = assistantBlocks(await ask(provider({ baseUrl: server.url })));
  const calls = reply.flatMap((block) => (block.type === 'tool_call' ? [block.id] : []));
  const messages = [
    ...turn().messages,
    { role: 'assistant', content: reply } as const,
    { role: 'user', content: resultsOf(given, calls) } as const,
  ];
  const sent = toOllamaRequest(turn({ messages }), UNKNOWN_FACTS, undefined).messages.slice(2);
  expect(sent).toMatchObject(given.expect.history?.append ?? []);
  expect(sent).toHaveLength(given.expect.history?.append?.length ?? 0);
});

function resultsOf({ given }: WireFixture, calls: readonly string[]): UserBlock[] {
  const results = Object.values(given?.toolResults ?? {});
  return results.map(({ content }, index) => {
    return { type: 'tool_result', id: calls[index] ?? '', content, isError: false };
  });
}

test('O16: a queue that is full is an error to try again, and the next attempt is answered', async () => {
  const given = fixture('O16');
  const server = await serve(given);
  const asked = provider({ baseUrl: server.url });
  expect(await ask(asked)).toMatchObject([
    { type: 'error', error: { kind: 'overloaded', retryable: true, status: 503 } },
  ]);
  expectEvents(neutral(await ask(asked)), given.expect.events);
});

test('O18: a model that does not think is asked again without it, and from then on', async () => {
  const given = fixture('O18');
  const server = await serve(given);
  const asked = provider({ baseUrl: server.url }, { details: {} });
  expectEvents(neutral(await ask(asked, { effort: 'high' })), given.expect.events);
  await ask(asked, { effort: 'high' });
  expect(server.requests.map((request) => bodyOf(request).think)).toEqual([true, undefined, undefined]);
});

test('A refusal to think is healed once, and then told', async () => {
  const [refusal] = fixture('O18').exchanges ?? [];
  const server = await serve(refusal ?? fixture('O18'));
  const events = await ask(provider({ baseUrl: server.url }, { details: {} }), { effort: 'high' });
  expect(events).toMatchObject([
    { type: 'error', error: { kind: 'thinking_unsupported', retryable: false } },
  ]);
  expect(server.requests).toHaveLength(2);
});

test.each([
  ['Node’s own fetch', undefined],
  ['the one for local servers', fetchWithProbes],
])('O19: an abort while the model loads closes the connection of %s', async (_name, fetchWith) => {
  const given = fixture('O19');
  const server = await serve({ ...given, chunks: [], close: 'hang' });
  const abort = new AbortController();
  const asked = provider({ baseUrl: server.url, clock: systemClock, fetch: fetchWith });
  const pending = collect(asked.streamTurn(turn(), abort.signal));
  await until(() => server.requests.length === 1);
  abort.abort();
  expectEvents(neutral(await pending, true), given.expect.events);
  await until(() => server.requests[0]?.disconnected === true);
});
