// Answers that no Messages API gives, but that proxies, gateways and bad lines do.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelErrorKind, ModelEvent } from '../../../../extension/core/ports/model.ts';
import { answering, bytesOf, connectionReset } from '../../../support/wire/fixtures.ts';
import { ask, fixture, fixtures } from './support.ts';

const OK = { status: 200, headers: { 'content-type': 'text/event-stream' }, close: 'end' as const };

function answer(body: string, contentType = 'text/event-stream'): Promise<ModelEvent[]> {
  const exchange = { ...OK, headers: { 'content-type': contentType } };
  return ask({ fetch: answering(exchange, [new TextEncoder().encode(body)]) });
}

function textOf(id: string): string {
  return Buffer.concat(bytesOf(fixture(id))).toString();
}

const bodies: [what: string, body: string, kind: ModelErrorKind, retryable: boolean][] = [
  [
    'an error as JSON',
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    'overloaded',
    true,
  ],
  ['an error for good', '{"error":{"type":"authentication_error","message":"no"}}', 'auth', false],
  [
    'an error that is a string',
    '{"error":"prompt is too long: 5 tokens > 4 maximum"}',
    'context_overflow',
    false,
  ],
  ['a flat error', '{"object":"error","message":"exploded"}', 'server', true],
  ['a page', '<!DOCTYPE html><html><body>Sign in</body></html>', 'server', true],
  ['a reply without a stream', '{"id":"msg_1","content":[]}', 'server', true],
  ['half of some JSON', '{"type":"err', 'server', true],
  ['nothing', '', 'empty_response', true],
  ['pings only', 'event: ping\ndata: {"type":"ping"}\n\n', 'stream_incomplete', true],
  ['events without names', 'data: {"type":"message_start"}\n\n', 'stream_incomplete', true],
];

test.each(bodies)('200 with %s', async (_what, body, kind, retryable) => {
  expect(await answer(body, 'application/json')).toMatchObject([
    { type: 'error', error: { kind, retryable } },
  ]);
});

test('A stream is read whatever its content type says', async () => {
  expect(await answer(textOf('A05'), 'text/plain')).toEqual(await answer(textOf('A05')));
});

test('A page of HTML is not quoted', async () => {
  const events = await ask({ fetch: answering({ ...OK, status: 502 }, [Buffer.from('<html>nginx</html>')]) });
  expect(events).toMatchObject([{ type: 'error', error: { kind: 'server', retryable: true, status: 502 } }]);
  expect(JSON.stringify(events)).not.toContain('nginx');
});

test('Events and deltas that are not known are passed over', async () => {
  const unknown = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const noise = unknown('brand_new', { index: 0 });
  const delta = unknown('content_block_delta', { index: 0, delta: { type: 'sparkle_delta', sparkle: 1 } });
  const lines = textOf('A01').split(/(?<=\n\n)/);
  const noisy = lines
    .flatMap((line) => (line.includes('text_delta') ? [noise, delta, line] : [noise, line]))
    .join('');
  expect(await answer(noisy)).toEqual(await answer(textOf('A01')));
});

const broken: [what: string, change: (events: string[]) => string[]][] = [
  ['a block that never began', (events) => events.filter((event) => !event.includes('content_block_start'))],
  ['a block that never ended', (events) => events.filter((event) => !event.includes('content_block_stop'))],
  [
    'a block that began twice',
    (events) => events.flatMap((event) => (event.includes('_start"') ? [event, event] : [event])),
  ],
  ['no stop reason', (events) => events.filter((event) => !event.includes('message_delta'))],
  [
    'a line that is no JSON',
    (events) => events.map((event) => event.replace('{"type":"message_delta"', '{"type')),
  ],
  [
    'null for an event',
    (events) => events.map((event) => event.replace(/data: .*message_delta.*/, 'data: null')),
  ],
  ['a call without a name', (events) => events.map((event) => event.replace(/"name":"\w+"/, '"name":7'))],
];

test.each(broken)('%s: the reply is incomplete, and its call is not made', async (_what, change) => {
  const events = await answer(change(textOf('A06').split(/(?<=\n\n)/)).join(''));
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { retryable: true } });
});

test('However events are lost, doubled or swapped, there is one end and no exception', async () => {
  const scripts = fixtures.filter(({ chunks, status }) => status === 200 && chunks.length > 1);
  const disorder = fc.record({
    given: fc.constantFrom(...scripts),
    kind: fc.constantFrom('lose', 'double', 'swap'),
    places: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(disorder, async ({ given, kind, places }) => {
      const events = bytesOf(given).map((bytes) => bytes.toString());
      const list = bytesOf(given);
      for (const place of places) disturb(list, kind, place % Math.max(1, list.length));
      const result = await ask({ fetch: answering({ ...OK }, list) });
      const ends = result.filter(({ type }) => type === 'done' || type === 'error');
      expect(ends, events.join('')).toEqual([result.at(-1)]);
    }),
    { numRuns: 300 },
  );
});

function disturb(list: Uint8Array[], kind: string, at: number): void {
  const [item] = list.splice(at, 1);
  if (!item) return;
  if (kind === 'double') list.splice(at, 0, item, item);
  if (kind === 'swap') list.splice(at + 1, 0, item);
}

test('A body that breaks off is a network error that may be tried again', async () => {
  const events = await ask({
    fetch: answering({ ...OK, close: 'reset' }, bytesOf(fixture('A01')).slice(0, 3)),
  });
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'network', retryable: true } });
});

const failures: [what: string, error: Error, kind: ModelErrorKind, retryable: boolean][] = [
  ['a reset', connectionReset(), 'network', true],
  ['no such host', failed('ENOTFOUND'), 'network', true],
  ['no answer to the connection', failed('UND_ERR_CONNECT_TIMEOUT'), 'timeout', true],
  ['no headers', failed('UND_ERR_HEADERS_TIMEOUT'), 'timeout', true],
  ['a certificate of nobody', failed('SELF_SIGNED_CERT_IN_CHAIN'), 'network', false],
  ['an error of Electron', new Error('net::ERR_INTERNET_DISCONNECTED'), 'network', true],
];

function failed(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

test.each(failures)('A request that fails with %s', async (_what, error, kind, retryable) => {
  const events = await ask({ fetch: () => Promise.reject(error) });
  expect(events).toMatchObject([{ type: 'error', error: { kind, retryable } }]);
});
