import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareTexts } from '../../../../extension/core/base/diff/diff-texts.ts';
import { unifiedDiff } from '../../../../extension/core/base/diff/unified-diff.ts';
import { splitLines } from '../../../../extension/core/base/text/lines.ts';

const diff = (before: string, after: string) => unifiedDiff(before, compareTexts(before, after));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\n`);
const text = (...lines: string[]) => lines.join('\n');

it('has the changed lines with two around them', () => {
  const after = numbers(20).with(9, 'ten\n').join('');
  const expected = text('@@ -8,5 +8,5 @@', ' 8', ' 9', '-10', '+ten', ' 11', ' 12');
  expect(diff(numbers(20).join(''), after)).toEqual({ text: expected });
});

it('has a hunk for each place', () => {
  const after = numbers(20).with(0, 'one\n').with(5, 'six\n').with(7, 'eight\n').toSpliced(18, 1).join('');
  expect(diff(numbers(20).join(''), after)?.text.match(/^@@.*/gm)).toEqual([
    '@@ -1,10 +1,10 @@',
    '@@ -17,4 +17,3 @@',
  ]);
});

it.each([
  ['a new file', '', 'a\n', text('@@ -0,0 +1,1 @@', '+a')],
  ['a file that is emptied', 'a\nb\n', '', text('@@ -1,2 +0,0 @@', '-a', '-b')],
  ['an insertion', 'a\nb\n', 'a\nx\nb\n', text('@@ -1,2 +1,3 @@', ' a', '+x', ' b')],
  ['an empty first line', '\nb\n', '\nc\n', text('@@ -1,2 +1,2 @@', ' ', '-b', '+c')],
  [
    'a line end that is added',
    'a\nb',
    'a\nb\n',
    text('@@ -1,2 +1,2 @@', ' a', '-b', '\\ No newline at end of file', '+b'),
  ],
  ['other line ends', 'a\n', 'a\r\n', text('@@ -1,1 +1,1 @@', '-a', '+a\r')],
])('of %s', (_, before, after, expected) => {
  expect(diff(before, after)).toEqual({ text: expected });
});

it('is not there where nothing changes', () => {
  expect(diff('a\nb', 'a\nb')).toBeUndefined();
});

it('is bounded, and says how many lines are left out', () => {
  const many = diff('', numbers(5_000).join(''));
  expect(many?.moreLines).toBe(4_940);
  expect(many?.text.split('\n')).toHaveLength(61);
  const long = diff('', `${'x'.repeat(1_000)}\n`.repeat(50));
  expect(long?.text.split('\n')[1]).toBe(`+${'x'.repeat(400)}…`);
  expect(long?.moreLines).toBe(23);
  const wide = `${'x'.repeat(399)}😀y`;
  expect(diff('', `${wide}\n`)?.text).toBe(text('@@ -0,0 +1,1 @@', `+${'x'.repeat(399)}…`));
});

it('never has more than 60 lines and 12,000 characters, wherever the changes are', () => {
  const change = fc.array(fc.tuple(fc.nat(999), fc.nat(600)), { maxLength: 60 });
  fc.assert(
    fc.property(change, (changes) => {
      const lines = numbers(1_000);
      for (const [line, length] of changes) lines[line] = `${'x'.repeat(length)}\n`;
      const { text: hunks = '', moreLines = 0 } = diff(numbers(1_000).join(''), lines.join('')) ?? {};
      const body = hunks.split('\n').filter((line) => !line.startsWith('@@'));
      expect(body.length).toBeLessThanOrEqual(60);
      expect(hunks.length).toBeLessThanOrEqual(12_000);
      if (moreLines > 0) expect(body.length > 50 || hunks.length > 10_000).toBe(true);
    }),
    { numRuns: 100 },
  );
});

it('leads from the one text to the other', () => {
  const source = fc
    .array(fc.constantFrom('a\n', 'b\n', '\n', 'c\r\n', 'b'), { maxLength: 25 })
    .map((lines) => lines.join(''));
  fc.assert(
    fc.property(source, source, (before, after) => {
      if (splitLines(before).length + splitLines(after).length > 50) return;
      const { text: hunks } = diff(before, after) ?? {};
      const patch = `--- a\n+++ a\n${hunks ?? ''}\n`;
      if (hunks !== undefined)
        expect(applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(after);
    }),
    { numRuns: 2000 },
  );
});
