// What only a real connection shows: who closes it, and when.
import { expect, onTestFinished, test } from 'vitest';
import type { ModelEvent } from '../../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { playFixture, playScript, type Script } from '../../../../scripts/lib/claude/fake-anthropic.ts';
import type { Fixture } from '../../../../scripts/lib/wire/wire-server.ts';
import { until } from '../../../support/until.ts';
import { collect, expectEvents, neutral } from '../../../support/wire/neutral.ts';
import { ask, fixture, provider, turn } from './support.ts';

async function serve(played: Fixture | Script) {
  const server = await (typeof played === 'function' ? playScript(played) : playFixture(played));
  onTestFinished(() => server.close());
  return server;
}

const shows = (text: string) => (event: ModelEvent) => event.type === 'text_delta' && event.text === text;

test('A27: an abort closes the connection while the server goes on', async () => {
  const given = fixture('A27');
  const server = await serve(given);
  const abort = new AbortController();
  const events = await collect(
    provider({ baseUrl: server.url, clock: systemClock }).streamTurn(turn(), abort.signal),
    (event) => {
      if (shows('two ')(event)) abort.abort();
    },
  );
  expectEvents(neutral(events, true), given.expect.events);
  await until(() => server.requests[0]?.disconnected === true);
});

test('An abort closes the connection at every chunk', async () => {
  const given = fixture('A09');
  for (let count = 1; count <= given.chunks.length; count++) {
    const server = await serve({ ...given, chunks: given.chunks.slice(0, count), close: 'hang' });
    const clock = new ManualClock();
    const abort = new AbortController();
    const pending = collect(
      provider({ baseUrl: server.url, clock, fetch: abortAfterBytes(given, count, abort) }).streamTurn(
        turn(),
        abort.signal,
      ),
    );
    const types = (await pending).map(({ type }) => type);
    if (count < given.chunks.length) expect(types).not.toContain('done');
    expect(types).not.toContain('error');
    await until(() => server.requests[0]?.disconnected === true);
    expect(clock.sleeping).toBe(0);
  }
});

/** Aborts in the moment in which the last byte of chunk `count` has come. */
function abortAfterBytes(given: Fixture, count: number, abort: AbortController): typeof fetch {
  const expected = given.chunks
    .slice(0, count)
    .reduce((sum, chunk) => sum + ('data' in chunk ? chunk.data.length : 0), 0);
  return async (input, init) => {
    const response = await fetch(input, init);
    let length = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        controller.enqueue(bytes);
        length += bytes.length;
        if (length >= expected) setImmediate(() => abort.abort());
      },
    });
    return new Response(response.body?.pipeThrough(counter) ?? null, { headers: response.headers });
  };
}

test('An abort before the headers closes the connection', async () => {
  const server = await serve({
    ...fixture('A01'),
    chunks: [{ delayMs: 600_000, data: '' }],
    delayHeaders: true,
  });
  const abort = new AbortController();
  const pending = collect(
    provider({ baseUrl: server.url, clock: systemClock }).streamTurn(turn(), abort.signal),
  );
  await until(() => server.requests.length === 1);
  abort.abort();
  expect(await pending).toEqual([]);
  await until(() => server.requests[0]?.disconnected === true);
});

test('Nothing is sent for a signal that is aborted already', async () => {
  const server = await serve(fixture('A01'));
  const asked = provider({ baseUrl: server.url, clock: systemClock });
  expect(await collect(asked.streamTurn(turn(), AbortSignal.abort()))).toEqual([]);
  expect(server.requests).toEqual([]);
});

test('A30: silence in the middle of a reply ends it', async () => {
  const given = fixture('A30');
  const server = await serve(given);
  const clock = new ManualClock();
  const asked = provider({ baseUrl: server.url, clock, idleTimeoutMs: 1500 });
  const events = await collect(asked.streamTurn(turn(), new AbortController().signal), (event) => {
    if (shows('half')(event)) setImmediate(() => clock.advance(1500));
  });
  expectEvents(neutral(events), given.expect.events);
  await until(() => server.requests[0]?.disconnected === true);
  expect(clock.sleeping).toBe(0);
});

test('Silence before the headers ends the request', async () => {
  const server = await serve({
    ...fixture('A01'),
    chunks: [{ delayMs: 600_000, data: '' }],
    delayHeaders: true,
  });
  const clock = new ManualClock();
  const pending = ask({ baseUrl: server.url, clock });
  await until(() => server.requests.length === 1);
  clock.advance(300_000);
  expect(await pending).toMatchObject([
    {
      type: 'error',
      error: { kind: 'timeout', retryable: true, message: expect.stringContaining('300 seconds') },
    },
  ]);
  await until(() => server.requests[0]?.disconnected === true);
});

test('A complete reply does not wait for a server that keeps the connection open', async () => {
  const given = fixture('A01');
  const server = await serve({ ...given, close: 'hang' });
  const clock = new ManualClock();
  const asked = provider({ baseUrl: server.url, clock });
  const events = await collect(asked.streamTurn(turn(), new AbortController().signal), (event) => {
    if (event.type === 'done') setImmediate(() => clock.advance(1000));
  });
  expectEvents(neutral(events), given.expect.events);
  await until(() => server.requests[0]?.disconnected === true);
});

test('A consumer that stops reading closes the connection', async () => {
  const server = await serve({ ...fixture('A27') });
  const clock = new ManualClock();
  const asked = provider({ baseUrl: server.url, clock });
  for await (const event of asked.streamTurn(turn(), new AbortController().signal)) {
    if (event.type === 'text_delta') break;
  }
  await until(() => server.requests[0]?.disconnected === true);
  expect(clock.sleeping).toBe(0);
});

test('The connection of a complete reply stays open for later requests', async () => {
  const server = await serve(() => ({ blocks: [{ type: 'text', text: 'ok' }] }));
  for (let count = 0; count < 5; count++) await ask({ baseUrl: server.url, clock: systemClock });
  const ports = new Set(server.requests.map(({ port }) => port));
  expect(ports.size).toBeLessThan(5);
});

test('A server that is not there is a network error that names it', async () => {
  const server = await playFixture(fixture('A01'));
  await server.close();
  expect(await ask({ baseUrl: server.url, clock: systemClock })).toMatchObject([
    {
      type: 'error',
      error: {
        kind: 'network',
        retryable: true,
        message: expect.stringContaining(`${new URL(server.url).host} failed: ECONNREFUSED`),
      },
    },
  ]);
});

test('A redirect is not followed', async () => {
  const elsewhere = await serve(fixture('A01'));
  const server = await serve({
    ...fixture('A01'),
    status: 307,
    headers: { location: `${elsewhere.url}/v1/messages` },
  });
  expect(await ask({ baseUrl: server.url, clock: systemClock })).toMatchObject([
    {
      type: 'error',
      error: { kind: 'invalid_request', message: expect.stringContaining('another address') },
    },
  ]);
  expect(elsewhere.requests).toEqual([]);
});

test('Bytes keep a reply alive, however slowly they come', async () => {
  const given = fixture('A01');
  const server = await serve(given);
  const clock = new ManualClock();
  const slow: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const dribble = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (bytes, controller) => {
        for (let at = 0; at < bytes.length; at += 100) {
          clock.advance(1000);
          await new Promise((resolve) => setImmediate(resolve));
          controller.enqueue(bytes.subarray(at, at + 100));
        }
      },
    });
    return new Response(response.body?.pipeThrough(dribble) ?? null, { headers: response.headers });
  };
  const events = await ask({ baseUrl: server.url, clock, fetch: slow, idleTimeoutMs: 1500 });
  expectEvents(neutral(events), given.expect.events);
});
