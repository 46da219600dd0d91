import { expect, onTestFinished, test } from 'vitest';
import type { AssistantBlock, UserBlock } from '../../../../extension/core/ports/model.ts';
import { toCodexRequest } from '../../../../extension/core/providers/codex/to-request.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { playBytes } from '../../../../scripts/lib/wire/wire-server.ts';
import { testFixtures } from '../../../support/wire/conformance.ts';
import { answering, bytesOf, type WireFixture } from '../../../support/wire/fixtures.ts';
import { assistantBlocks, collect, expectEvents, neutral } from '../../../support/wire/neutral.ts';
import { ask, conformance, fixture, fixtures, KEY, MODEL, provider, turn } from './support.ts';

testFixtures(conformance);

async function serve(played: WireFixture) {
  const server = await playBytes(played);
  onTestFinished(() => server.close());
  return server;
}

const withHistory = fixtures.filter(({ id, expect: { events } }) => {
  const isComplete = events.every(({ reason }) => reason !== 'error' && reason !== 'refusal');
  return isComplete && id !== 'R20';
});

test.each(withHistory)('$id: the next request', async (given) => {
  const server = await serve(given);
  const reply = assistantBlocks(await ask({ baseUrl: server.url, clock: systemClock }));
  const appended = given.expect.history?.append ?? [];
  expect(appended.length).toBeGreaterThan(0);
  const input = inputAfter(given, reply).map(withoutId);
  expect(input.slice(1, 1 + appended.length)).toEqual(appended.map(withFreeText));
});

function inputAfter({ given, expect: { history } }: WireFixture, reply: readonly AssistantBlock[]) {
  const calls = reply.filter((block) => block.type === 'tool_call');
  const results: UserBlock[] = calls.map(({ id }) => {
    const told = given?.toolResults?.[id]?.content;
    return { type: 'tool_result', id, content: told ?? 'Plan updated', isError: false };
  });
  const says = history?.append?.findLast(({ role }) => role === 'user') ? 'do not delete' : 'go on';
  const messages = [
    ...turn().messages,
    { role: 'assistant', content: reply } as const,
    { role: 'user', content: [{ type: 'text', text: says }, ...results] } as const,
  ];
  // The input is a list of items.
  return toCodexRequest(turn({ messages })).input as Record<string, unknown>[];
}

/** The fixtures leave it open whether the server's ids are sent along. */
function withoutId({ id: _, ...item }: Record<string, unknown>) {
  return item;
}

/** `<…>` in a fixture stands for any value. */
function withFreeText(item: unknown): unknown {
  return JSON.parse(JSON.stringify(item), (_key, value) =>
    typeof value === 'string' && value.startsWith('<') ? expect.anything() : value,
  );
}

test('R06: the plan comes as a call, for the tool that shows it', async () => {
  const given = fixture('R06');
  const server = await serve(given);
  const events = neutral(await ask({ baseUrl: server.url, clock: systemClock }));
  expectEvents(
    events,
    given.expect.events.filter(({ type }) => type !== 'plan_update'),
  );
});

const lost: AssistantBlock = {
  type: 'reasoning',
  text: '',
  opaque: { provider: 'codex', model: MODEL, data: { type: 'reasoning', id: 'rs_1', summary: [] } },
};
const kept: AssistantBlock = {
  type: 'reasoning',
  text: '',
  opaque: {
    provider: 'codex',
    model: MODEL,
    data: { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAAA' },
  },
};
const search: AssistantBlock = {
  type: 'provider_block',
  opaque: { provider: 'codex', model: MODEL, data: { type: 'web_search_call', id: 'ws_1' } },
};

const messages = [
  { role: 'user', content: [{ type: 'text', text: 'q' }] },
  { role: 'assistant', content: [lost, kept, search, { type: 'text', text: 'a' }] },
  { role: 'user', content: [{ type: 'text', text: 'q2' }] },
] as const;

test('R20: what the server has not kept is left out, once and for all', async () => {
  const given = fixture('R20');
  const server = await serve(given);
  const asked = provider({ baseUrl: server.url, clock: systemClock });
  const signal = new AbortController().signal;
  expectEvents(neutral(await collect(asked.streamTurn(turn({ messages }), signal))), given.expect.events);
  expect(server.requests.map(({ raw }) => raw.includes('rs_1'))).toEqual([true, false]);
  expect(server.requests[1]?.raw).toContain('gAAAA');
  expect(server.requests[1]?.raw).not.toMatch(/rs_\d|ws_1/);

  await collect(asked.streamTurn(turn({ messages }), signal));
  expect(server.requests).toHaveLength(3);
  expect(server.requests[2]?.raw).toBe(server.requests[1]?.raw);
});

test('R20: a refusal that persists is told after the one repair', async () => {
  const refusal = fixture('R20').exchanges?.[0];
  if (!refusal) throw new Error('R20 has no exchanges');
  const server = await serve({ ...fixture('R20'), ...refusal, exchanges: [refusal] });
  const events = await ask({ baseUrl: server.url, clock: systemClock }, { messages });
  expect(events).toMatchObject([{ type: 'error', error: { kind: 'not_found', retryable: false } }]);
  expect(server.requests).toHaveLength(2);
});

test('Thinking that another account’s key has sealed is left out, what is thought later is not', async () => {
  const sent: string[] = [];
  const good = answering({ status: 200, headers: {}, close: 'end' }, bytesOf(fixture('R01')));
  const message = 'The encrypted content for item rs_2 could not be verified.';
  const refusal = { error: { message, type: 'invalid_request_error', code: 'invalid_encrypted_content' } };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push(String(init?.body));
    return sent.at(-1)?.includes('gAAAA') ? Response.json(refusal, { status: 400 }) : good(input, init);
  };
  const asked = provider({ fetch });
  const { signal } = new AbortController();
  const later: AssistantBlock = {
    type: 'reasoning',
    text: '',
    opaque: { provider: 'codex', model: MODEL, data: { type: 'reasoning', encrypted_content: 'gBBBB' } },
  };
  const more = [
    ...messages,
    { role: 'assistant', content: [later, { type: 'text', text: 'a2' }] },
    { role: 'user', content: [{ type: 'text', text: 'q3' }] },
  ] as const;
  for (const said of [messages, more]) {
    const events = await collect(asked.streamTurn(turn({ messages: said }), signal));
    expect(events.at(-1)).toEqual({ type: 'done', stop: 'end' });
  }
  expect(sent.map((body) => [body.includes('gAAAA'), body.includes('gBBBB')])).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
});

test.each([
  [
    'to sum up its thinking',
    'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general',
    { reasoning: { effort: 'high', summary: 'auto' }, max_output_tokens: 4096 },
    { reasoning: { effort: 'high' }, max_output_tokens: 4096 },
  ],
  [
    'so long a reply',
    "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 2048, but got 4096 instead.",
    { reasoning: { effort: 'high', summary: 'auto' }, max_output_tokens: 4096 },
    { reasoning: { effort: 'high', summary: 'auto' } },
  ],
])('A server that refuses %s is not asked for it again', async (_what, message, before, after) => {
  const sent: Record<string, unknown>[] = [];
  const good = answering({ status: 200, headers: {}, close: 'end' }, bytesOf(fixture('R01')));
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push(JSON.parse(String(init?.body)));
    return sent.length > 1 ? good(input, init) : Response.json({ error: { message } }, { status: 400 });
  };
  const asked = provider({ fetch });
  const { signal } = new AbortController();
  for (let times = 0; times < 2; times++) {
    const events = await collect(asked.streamTurn(turn({ effort: 'high' }), signal));
    expect(events.at(-1)).toEqual({ type: 'done', stop: 'end' });
  }
  const asks = sent.map(({ reasoning, max_output_tokens }) => ({ reasoning, max_output_tokens }));
  expect(asks).toEqual([before, after, after]);
});

test('The request goes out once, with the key', async () => {
  const server = await serve(fixture('R01'));
  await ask({ baseUrl: server.url, clock: systemClock });
  expect(server.requests).toMatchObject([
    {
      path: '/responses',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: { model: MODEL, stream: true, store: false },
    },
  ]);
});
