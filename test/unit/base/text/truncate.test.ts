import { expect, test } from 'vitest';
import { firstLines, firstNames } from '../../../../extension/core/base/text/truncate.ts';

const paths = Array.from({ length: 12 }, (_, index) => `/repo/${index}.ts`);

test('a few are told as they are', () => {
  expect(firstNames(paths.slice(0, 2))).toBe('0.ts, 1.ts');
  expect(firstLines(paths)).toEqual(paths);
});

test('of many the first ones are told, and how many there are besides', () => {
  expect(firstNames(paths)).toBe('0.ts, 1.ts, 2.ts, 3.ts, 4.ts, 5.ts, 6.ts, 7.ts, 8.ts, 9.ts and 2 more');
  expect(firstLines(Array.from({ length: 60 }, () => 'line')).slice(49)).toEqual(['line', 'And 10 more.']);
});
