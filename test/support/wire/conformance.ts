// What holds of every provider: the fixtures of its protocol give the events that they name, wherever a chunk or the
// connection ends.
import { expect, onTestFinished, test } from 'vitest';
import type { ModelEvent, ModelProvider, Turn } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import type { WireOptions } from '../../../extension/core/providers/wire/vendor.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { playBytes } from '../../../scripts/lib/wire/wire-server.ts';
import { answering, bytesOf, type WireFixture } from './fixtures.ts';
import { collect, expectEvents, neutral } from './neutral.ts';

export interface Conformance {
  readonly fixtures: readonly WireFixture[];
  /** Numbers of those that have tests of their own: they are about more than one request, about time, or a table. */
  readonly apart: ReadonlySet<string>;
  create(options: WireOptions, fixture: WireFixture): ModelProvider;
  turn(fixture: WireFixture): Turn;
}

const KEY = 'sk-canary-0123456789abcdef';

/** Over a real socket. */
export function testFixtures(tried: Conformance): void {
  test.each(tried.fixtures.filter(({ id }) => !tried.apart.has(id)))('$id: $purpose', async (fixture) => {
    const server = await playBytes(fixture);
    onTestFinished(() => server.close());
    const provider = tried.create({ apiKey: KEY, baseUrl: server.url, clock: systemClock }, fixture);
    const events = await collect(provider.streamTurn(tried.turn(fixture), new AbortController().signal));
    expectEvents(neutral(events), fixture.expect.events);
    expect(server.requests).toHaveLength(1);
  });
}

/** Without sockets, of every fixture that is one whole answer. */
export function testEveryByte(tried: Conformance): void {
  const whole = tried.fixtures.filter(
    ({ id, chunks, close, status, abortAfterChunk }) =>
      !tried.apart.has(id) &&
      chunks.length > 1 &&
      close === 'end' &&
      status === 200 &&
      abortAfterChunk === undefined,
  );

  test('there is something to try', () => {
    expect(whole.length).toBeGreaterThan(3);
  });

  test.each(whole)('$id split at every byte gives the same events', async (fixture) => {
    const bytes = Buffer.concat(bytesOf(fixture));
    const events = await reply(tried, fixture, bytes);
    for (let at = 1; at < bytes.length; at++) {
      const split = await reply(tried, fixture, bytes.subarray(0, at), bytes.subarray(at));
      expect(neutral(split), `split at ${at}`).toEqual(neutral(events));
    }
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(neutral(await reply(tried, fixture, ...single))).toEqual(neutral(events));
  });

  test.each(whole)('$id cut at every byte is the whole reply or an error', async (fixture) => {
    const bytes = Buffer.concat(bytesOf(fixture));
    const events = await reply(tried, fixture, bytes);
    for (let at = 0; at < bytes.length; at++) {
      const cut = await reply(tried, fixture, bytes.subarray(0, at));
      const last = cut.at(-1);
      expect(cut.filter(isEnd), `cut at ${at}`).toHaveLength(1);
      if (last?.type === 'done') expect(calls(cut), `cut at ${at}`).toEqual(calls(events));
      else expect(last?.type, `cut at ${at}`).toBe('error');
      expect(calls(events), `cut at ${at}`).toEqual(expect.arrayContaining(calls(cut)));
    }
  });

  test.each(whole)('$id aborted after every event ends without done or error', async (fixture) => {
    const chunks = bytesOf(fixture);
    const events = await reply(tried, fixture, ...chunks);
    for (let count = 1; count < events.length; count++) {
      const abort = new AbortController();
      let seen = 0;
      const provider = create(tried, fixture, chunks);
      const given = await collect(provider.streamTurn(tried.turn(fixture), abort.signal), () => {
        if (++seen === count) abort.abort();
      });
      expect(given.filter(isEnd), `aborted after ${count}`).toEqual([]);
    }
  });
}

function isEnd({ type }: ModelEvent): boolean {
  return type === 'done' || type === 'error';
}

function calls(events: readonly ModelEvent[]): ModelEvent[] {
  return events.filter(({ type }) => type === 'tool_call');
}

function create(tried: Conformance, fixture: WireFixture, chunks: readonly Uint8Array[]): ModelProvider {
  const clock = new ManualClock();
  return tried.create({ apiKey: KEY, clock, fetch: answering(fixture, chunks) }, fixture);
}

function reply(
  tried: Conformance,
  fixture: WireFixture,
  ...chunks: readonly Uint8Array[]
): Promise<ModelEvent[]> {
  const provider = create(tried, fixture, chunks);
  return collect(provider.streamTurn(tried.turn(fixture), new AbortController().signal));
}
