import { expect, it } from 'vitest';
import { type EditorPlace, linesAt } from '../../../extension/core/review/locate-changes.ts';
import { ReviewPlace } from '../../support/review-place.ts';

async function chosen(before: string, after: string, side: EditorPlace['side'], first: number, last = first) {
  const place = new ReviewPlace(before);
  await place.agent(after);
  return linesAt(await place.review(), { side, first, last }).map(({ sign, line }) => sign + line.text);
}

it.each([
  ['an added line', 'a\n', 'a\nb\nc\n', 1, ['+b']],
  ['a replaced line, with the one it stands for', 'a\nb\n', 'A\nB\n', 1, ['+B', '-b']],
  ['the only added line, with all that it stands for', 'a\nb\nc\n', 'X\n', 0, ['-a', '-b', '-c', '+X']],
  ['the line before which others were removed', 'a\nb\nc\n', 'a\nc\n', 1, ['-b']],
  ['the line behind which others were removed', 'a\nb\nc\n', 'a\nc\n', 0, ['-b']],
  ['a line that nobody has changed', 'a\nb\nc\nd\n', 'a\nb\nc\nD\n', 1, []],
])('%s', async (_, before, after, line, expected) => {
  expect(await chosen(before, after, '+', line)).toEqual(expected);
});

it('lines of what is accepted are those that were removed', async () => {
  expect(await chosen('a\nb\nc\n', 'A\nB\nc\n', '-', 0)).toEqual(['-a', '+A']);
  expect(await chosen('a\nb\nc\n', 'c\n', '-', 0, 0)).toEqual(['-a']);
});
