// A chunk may end anywhere: every place is tried.
import { expect, test } from 'vitest';
import { firstOfItsOwn, reply, streams } from './streams.ts';

test('There is something to try', () => {
  expect(streams.length).toBeGreaterThan(15);
});

test.each(streams)('$id split at every byte gives the same events', async (stream) => {
  const whole = await reply(stream, stream.bytes);
  for (let at = Math.max(1, firstOfItsOwn(stream.bytes)); at < stream.bytes.length; at++) {
    const events = await reply(stream, stream.bytes.subarray(0, at), stream.bytes.subarray(at));
    expect(events, `split at ${at}`).toEqual(whole);
  }
});

test.each(streams)('$id byte by byte gives the same events', async (stream) => {
  const bytes = Array.from(stream.bytes, (byte) => Uint8Array.of(byte));
  expect(await reply(stream, ...bytes)).toEqual(await reply(stream, stream.bytes));
});

test.each(streams)('$id with CRLF, a BOM and comments gives the same events', async (stream) => {
  const text = new TextDecoder().decode(stream.bytes).replaceAll('\n\n', '\n\n: a comment\n');
  const other = new TextEncoder().encode(`\uFEFF${text.replaceAll('\n', '\r\n')}`);
  expect(await reply(stream, other)).toEqual(await reply(stream, stream.bytes));
});
