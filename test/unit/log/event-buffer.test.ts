import { expect, test } from 'vitest';
import { elide } from '../../../extension/core/log/elide.ts';
import { estimateLines } from '../../../extension/core/log/estimate-lines.ts';
import { EventBuffer } from '../../../extension/core/log/event-buffer.ts';
import type { EventDraft, SessionEvent } from '../../../extension/protocol/events.ts';
import { storedEvents } from '../../support/panel-events.ts';

const long = `The beginning.\n${'word '.repeat(2_000)}`;
const one = (draft: EventDraft) => {
  const [event] = storedEvents([draft]);
  if (!event) throw new Error('No event.');
  return event;
};

test('an event without long texts is the same one, also one that names files', () => {
  const short = one({ type: 'user', content: 'short' });
  expect(elide(short)).toBe(short);
  const files = Array.from({ length: 500 }, (_, n) => ({
    path: `/repo/${n}`,
    state: { kind: 'absent' } as const,
  }));
  const checkpoint = one({ type: 'checkpoint', id: 'a', files });
  expect(elide(checkpoint)).toBe(checkpoint);
});

test('long texts are cut wherever they are, and the rest stays', () => {
  const call = one({
    type: 'tool_call',
    id: 'a',
    name: 'write',
    input: { path: 'a.txt', content: long, nested: [{ text: long }] },
    opaque: { provider: 'p', model: 'm', data: { signature: long, kind: 'x' } },
  });
  const light = elide(call);
  expect(JSON.stringify(light).length).toBeLessThan(2_500);
  expect(light).toMatchObject({
    id: 'a',
    name: 'write',
    input: { path: 'a.txt' },
    seq: call.seq,
    prev: call.prev,
  });
  expect(light).toMatchObject({
    input: { content: expect.stringMatching(/^The beginning\..*left out here/s) },
  });
  expect(light).toMatchObject({ opaque: { provider: 'p', data: { kind: 'x' } } });
});

test('what a tool answered stays JSON with the same fields', () => {
  const result = JSON.stringify({ exitCode: 3, stdout: long });
  const light = elide(one({ type: 'tool_result', id: 'a', isError: false, result }));
  expect(light.type === 'tool_result' && JSON.parse(light.result)).toEqual({
    exitCode: 3,
    stdout: expect.stringMatching(/^The beginning\./),
  });
  const broken = elide(one({ type: 'tool_result', id: 'a', isError: false, result: long }));
  expect(broken.type === 'tool_result' && JSON.parse(broken.result)).toEqual({
    content: expect.stringMatching(/^The beginning\./),
  });
});

test('an elided event is as high as the whole one', () => {
  const text = one({ type: 'text', content: long });
  expect(estimateLines(elide(text))).toBe(estimateLines(text));
});

const megabyte = 'x'.repeat(1_000_000);
const texts = (count: number) =>
  Array.from({ length: count }, (): EventDraft => ({ type: 'text', content: megabyte }));
const wholeIn = (events: readonly SessionEvent[]) =>
  events.filter(({ elided }) => elided === undefined).length;

function held(drafts: readonly EventDraft[]) {
  const events = new EventBuffer();
  for (const event of storedEvents([...drafts])) events.push(event);
  return events.all;
}

test('of the newest events 16 million characters are whole, of those before a compaction two', () => {
  expect(wholeIn(held(texts(12)))).toBe(12);
  expect(wholeIn(held(texts(50)))).toBe(15);
  const compaction: EventDraft = { type: 'compaction', summary: 'short', through: 1 };
  expect(wholeIn(held([...texts(20), compaction]))).toBe(2);
  expect(wholeIn(held([...texts(20), compaction, ...texts(10)]))).toBe(11);
});

test('the newest event is whole, however long it is', () => {
  const huge: EventDraft = { type: 'text', content: megabyte.repeat(40) };
  expect(held([...texts(2), huge]).map(({ elided }) => elided !== undefined)).toEqual([true, true, false]);
});
