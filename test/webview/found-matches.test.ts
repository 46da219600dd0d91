import { expect, test } from 'vitest';
import type { FindMatch, FindResults } from '../../extension/protocol/find-messages.ts';
import {
  type FoundMatches,
  firstFrom,
  indexOfMatch,
  nothingFound,
  placeInText,
  withResults,
} from '../../webview/views/find/found-matches.ts';

const match = (
  section: number,
  seq: number,
  offset: number,
  field: FindMatch['field'] = 'text',
): FindMatch => ({
  section,
  seq,
  part: String(seq),
  field,
  offset,
  length: 1,
});
const results = (from: number, matches: FindMatch[], isComplete = true): FindResults => ({
  type: 'find/results',
  session: 's',
  request: 1,
  from,
  total: matches.length,
  isComplete,
  matches,
});
const first = [
  match(0, 1, 0),
  match(0, 2, 3),
  match(0, 2, 5),
  match(2, 9, 1, 'input'),
  match(2, 9, 1, 'result'),
];
const found = (matches: FindMatch[], isComplete = true): FoundMatches =>
  withResults(nothingFound, results(0, matches, isComplete));

test('results take the place of all from their section on', () => {
  const more = withResults(found(first), results(2, [match(2, 9, 4, 'input'), match(3, 12, 0)]));
  expect(more.matches.map(({ section, offset }) => [section, offset])).toEqual([
    [0, 0],
    [0, 3],
    [0, 5],
    [2, 4],
    [3, 0],
  ]);
  expect(withResults(more, results(4, [match(4, 20, 0)])).matches).toHaveLength(6);
});

test('a search begins at the part that is being read, or behind it, or again at the first', () => {
  const parts = ['1', '2', '3'];
  expect(firstFrom(found(first), { section: 0, part: '2' }, parts)).toBe(1);
  expect(firstFrom(found(first), { section: 0, part: '3' }, parts)).toBe(3);
  expect(firstFrom(found(first), { section: 2, part: '99' }, ['9', '99'])).toBe(0);
  expect(firstFrom(found(first, false), { section: 2, part: '99' }, ['9', '99'])).toBe(-1);
  expect(firstFrom(nothingFound, { section: 0, part: '' }, [])).toBe(-1);
});

test('a match knows its place in its text, and is known again', () => {
  expect([0, 1, 2, 3, 4].map((index) => placeInText(first, index))).toEqual([0, 0, 1, 0, 0]);
  expect(first.map((each) => indexOfMatch(found(first), { ...each }))).toEqual([0, 1, 2, 3, 4]);
  expect(indexOfMatch(found(first), match(0, 2, 4))).toBe(-1);
});
