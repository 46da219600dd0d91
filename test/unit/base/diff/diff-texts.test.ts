import { diffArrays } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareTexts, countLines } from '../../../../extension/core/base/diff/diff-texts.ts';
import { splitLines } from '../../../../extension/core/base/text/lines.ts';

function countChangedLines(before: string, after: string) {
  const comparison = compareTexts(before, after);
  return { added: countLines(comparison, '+'), removed: countLines(comparison, '-') };
}

/** The texts without what one side has alone, which is the other. */
function sideOf(before: string, after: string, without: '+' | '-'): string {
  const { start, end, parts } = compareTexts(before, after);
  const middle = parts.filter(({ sign }) => sign !== without).flatMap(({ lines }) => lines);
  return before.slice(0, start) + middle.join('') + before.slice(before.length - end);
}

it.each([
  ['', 'a\nb\n', 2, 0],
  ['a\nb\n', '', 0, 2],
  ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
  ['a\nb\nc\n', 'a\nb\nc\n', 0, 0],
  ['a\nb\nc\nd\n', 'a\nx\nb\nc\ny\nd\n', 2, 0],
  ['a\nb', 'a\nb\n', 1, 1],
  ['a\na\n', 'a\na\na\n', 1, 0],
])('from %j to %j', (before, after, added, removed) => {
  expect(countChangedLines(before, after)).toEqual({ added, removed });
});

it('takes a large change as a whole', () => {
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('');
  const kept = lines('same', 500_000);
  expect(countChangedLines(kept + lines('old', 3000), kept + lines('new', 2500))).toEqual({
    added: 2500,
    removed: 3000,
  });
  expect(countChangedLines(lines('old', 1900), lines('new', 1900))).toEqual({ added: 1900, removed: 1900 });
});

it('counts as a diff of the whole texts does', () => {
  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', '\n', 'ab\n', 'b'), { maxLength: 12 })
    .map((lines) => lines.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { added, removed } = countChangedLines(before, after);
      expect(added - removed).toBe(splitLines(after).length - splitLines(before).length);
      const exact = diffArrays(splitLines(before), splitLines(after));
      expect(sideOf(before, after, '+')).toBe(before);
      expect(sideOf(before, after, '-')).toBe(after);
      expect(added).toBe(exact.reduce((sum, part) => sum + (part.added ? part.count : 0), 0));
    }),
    { numRuns: 3000 },
  );
});
