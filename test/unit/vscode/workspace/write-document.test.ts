import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TextChange, textChanges } from '../../../../extension/vscode/workspace/write-document.ts';

function applied(text: string, changes: readonly TextChange[]): string {
  return changes.reduceRight(
    (result, { start, end, text: replacement }) => result.slice(0, start) + replacement + result.slice(end),
    text,
  );
}

test('no change where nothing changes', () => {
  expect(textChanges('a\nb\n', 'a\nb\n')).toEqual([]);
  expect(textChanges('', '')).toEqual([]);
});

test('lines that stay are in no change', () => {
  expect(textChanges('a\nb\nc\nd\ne\n', 'a\nB\nc\nd\ne\nf\n')).toEqual([
    { start: 2, end: 4, text: 'B\n' },
    { start: 10, end: 10, text: 'f\n' },
  ]);
});

test('a line end that is missing or comes in', () => {
  expect(textChanges('a\nb', 'a\nb\n')).toEqual([{ start: 2, end: 3, text: 'b\n' }]);
  expect(textChanges('a', '')).toEqual([{ start: 0, end: 1, text: '' }]);
});

test('texts that have little in common are one change, found in little time', () => {
  const before = Array.from({ length: 5000 }, (_, line) => `old ${line}\n`).join('');
  const after = Array.from({ length: 5000 }, (_, line) => `new ${line}\n`).join('');
  expect(textChanges(before, after)).toEqual([{ start: 0, end: before.length, text: after }]);
});

test('the changes make the one text of the other, in order and apart from each other', () => {
  const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd'), { maxLength: 20 });
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const [before, after] = [old.join(''), now.join('')];
      const changes = textChanges(before, after);
      expect(applied(before, changes)).toBe(after);
      changes.slice(1).forEach((change, index) => {
        expect(change.start).toBeGreaterThan(changes[index]?.end ?? 0);
      });
    }),
    { numRuns: 2000 },
  );
});
