// A connection may end anywhere, and so may the patience of the user: every place is tried.
import { expect, test } from 'vitest';
import type { ModelEvent } from '../../../../extension/core/ports/model.ts';
import { answering, bytesOf } from '../../../support/wire/fixtures.ts';
import { collect } from '../../../support/wire/neutral.ts';
import { firstOfItsOwn, reply, streams } from './streams.ts';
import { provider, turn } from './support.ts';

test.each(streams)('$id cut at every byte is the whole reply or an error', async (stream) => {
  const whole = await reply(stream, stream.bytes);
  for (let at = firstOfItsOwn(stream.bytes); at < stream.bytes.length; at++) {
    const events = await reply(stream, stream.bytes.subarray(0, at));
    const last = events.at(-1);
    if (last?.type === 'done') expect(events, `cut at ${at}`).toEqual(whole);
    else expect(last, `cut at ${at}`).toMatchObject({ type: 'error', error: { retryable: true } });
    expect(calls(whole), `cut at ${at}`).toEqual(expect.arrayContaining(calls(events)));
  }
});

function calls(events: readonly ModelEvent[]): ModelEvent[] {
  return events.filter(({ type }) => type === 'tool_call');
}

test.each(streams)('$id aborted after every event ends without done or error', async (stream) => {
  const chunks = bytesOf(stream.exchange);
  const whole = await reply(stream, ...chunks);
  for (let count = 1; count < whole.length; count++) {
    const abort = new AbortController();
    let seen = 0;
    const asked = provider({ fetch: answering(stream.exchange, chunks) });
    const events = await collect(asked.streamTurn(turn(), abort.signal), () => {
      if (++seen === count) abort.abort();
    });
    const types = events.map(({ type }) => type);
    expect(types, `aborted after ${count}`).not.toContain('done');
    expect(types, `aborted after ${count}`).not.toContain('error');
  }
});
