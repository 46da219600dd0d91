import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stripTerminalCodes } from '../../../extension/core/base/text/terminal-codes.ts';
import { LiveDeltas, newestOutput } from '../../../extension/core/log/live-deltas.ts';
import type { Delta } from '../../../extension/protocol/delta.ts';

const output = (text: string, stream: 'stdout' | 'stderr' = 'stdout'): Delta => ({
  type: 'tool_output_delta',
  session: 's',
  id: 'call_1',
  stream,
  text,
});
const textOf = (deltas: readonly Delta[]) =>
  deltas.map((delta) => ('text' in delta ? delta.text : '')).join('');

it('keeps the newest of a long output, and cuts it in no terminal code', () => {
  const fold = new LiveDeltas();
  // Of seven characters, so that a cut after a round number falls everywhere.
  const all = '\x1b[31mab'.repeat(200_000);
  for (let at = 0; at < all.length; at += 999) {
    fold.onDelta(output(all.slice(at, at + 999)));
    // What is left of a code that was cut would be text.
    expect(stripTerminalCodes(textOf(fold.deltas))).toMatch(/^[ab]*$/);
  }
  expect(textOf(fold.deltas).length).toBeGreaterThan(31_000);
  expect(textOf(fold.deltas).length).toBeLessThan(66_000);
  expect(all.endsWith(textOf(fold.deltas))).toBe(true);
});

it('bounds an output that goes to both streams in turn', () => {
  const fold = new LiveDeltas();
  for (let at = 0; at < 10_000; at += 1)
    fold.onDelta(output('a line\n'.repeat(10), at % 2 ? 'stdout' : 'stderr'));
  expect(textOf(fold.deltas).length).toBeLessThan(66_000);
});

it('bounds nothing but output', () => {
  const fold = new LiveDeltas();
  fold.onDelta({ type: 'text_delta', session: 's', text: 'word '.repeat(50_000) });
  fold.onDelta(output('x'.repeat(100_000)));
  expect(fold.deltas.map((delta) => 'text' in delta && delta.text.length)).toEqual([250_000, 32_000]);
});

it('gives the end of the output, of which nothing in the middle is left out', () => {
  const chunk = fc.tuple(fc.string({ minLength: 1, maxLength: 20 }), fc.constantFrom('stdout', 'stderr'));
  fc.assert(
    fc.property(fc.array(chunk), fc.nat(60), (chunks, limit) => {
      const deltas = chunks.map(([text, stream]) => output(text, stream as 'stdout' | 'stderr'));
      const newest = textOf(newestOutput(deltas, limit));
      expect(newest.length).toBeLessThanOrEqual(limit);
      expect(textOf(deltas).endsWith(newest)).toBe(true);
    }),
  );
});
