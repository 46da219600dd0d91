import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHAIN_START, hashLine, LONGEST_LINE, link } from '../../../extension/core/log/hash-chain.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';

const bytesOf = (line: string) => Buffer.byteLength(line);

test('a line has what was given, its place, and the hash of the one before', () => {
  const first = link(CHAIN_START, { type: 'user', content: 'a ✓' }, 's', 5);
  expect(JSON.parse(first.line)).toEqual({
    type: 'user',
    content: 'a ✓',
    timestamp: 5,
    session: 's',
    seq: 1,
    prev: '',
  });
  expect(link(first.head, { type: 'title', title: 'b' }, 's', 6).event.prev).toBe(hashLine(first.line));
});

test('what is too long for a line is cut, says by how much, and is the same for who wrote it and who reads it', () => {
  const content = '✓'.repeat(LONGEST_LINE / 2);
  const draft: EventDraft = { type: 'tool_call', id: 'c', name: 'write', input: { path: 'a', content } };
  const { event, line } = link(CHAIN_START, draft, 's', 1);
  expect(bytesOf(line)).toBeLessThan(1_000);
  expect(JSON.parse(line)).toEqual(event);
  expect(event).toMatchObject({
    input: {
      path: 'a',
      content: `${'✓'.repeat(200)}… (${content.length - 200} characters are left out here)`,
    },
  });
  expect(event).not.toHaveProperty('elided');
});

test('no text makes a longer line, and none that fits is cut', () => {
  const text = fc
    .tuple(fc.constantFrom('a', '✓', '😀', '\u0001', '"'), fc.nat(LONGEST_LINE))
    .map(([unit, length]) => unit.repeat(length / 4));
  fc.assert(
    fc.property(text, (content) => {
      const { line } = link(CHAIN_START, { type: 'text', content }, 's', 1);
      expect(bytesOf(line)).toBeLessThanOrEqual(LONGEST_LINE);
      const fits = bytesOf(JSON.stringify(content)) < LONGEST_LINE - 200;
      if (fits) expect(line.length).toBeGreaterThan(content.length);
    }),
    { numRuns: 30 },
  );
});

test('of more changes of a call than a line can hold as many are listed as fit, and the rest is counted', () => {
  const change = (index: number) => ({
    path: `/repo/${'✓'.repeat(900)}${index}`,
    before: { kind: 'absent' } as const,
    after: { kind: 'link', target: 'x' } as const,
  });
  const changes = Array.from({ length: 10_000 }, (_, index) => change(index));
  const draft: EventDraft = { type: 'files_changed', id: 'c', by: 'tool', changes, uncovered: 'More.' };
  const { event, line } = link(CHAIN_START, draft, 's', 1);
  expect(bytesOf(line)).toBeLessThanOrEqual(LONGEST_LINE);
  const listed = event.type === 'files_changed' ? event.changes.length : 0;
  expect(listed).toBeGreaterThan(1_000);
  expect(event).toMatchObject({
    uncovered: `More.\n${changes.length - listed} more changes are not listed.`,
  });
});

test('what cannot be cut and no line can hold is refused', () => {
  const files = Array.from({ length: 100_000 }, (_, index) => ({
    path: `/repo/${'x'.repeat(200)}${index}`,
    state: { kind: 'absent' } as const,
  }));
  expect(() => link(CHAIN_START, { type: 'checkpoint', id: 'c', files }, 's', 1)).toThrow(
    'An event of type “checkpoint” was not written: it would take more than 16 MB',
  );
});
