import { expect, test } from 'vitest';
import { localTime } from '../../../../extension/core/base/text/local-time.ts';

const now = new Date(2026, 10, 21, 14, 0, 30).getTime();

test('within a day it is the time, the minute begun being full', () => {
  expect(localTime(new Date(2026, 10, 21, 14, 5, 1).getTime(), now)).toBe('14:06');
  expect(localTime(new Date(2026, 10, 22, 9, 7).getTime(), now)).toBe('09:07');
});

test('later it has its date', () => {
  expect(localTime(new Date(2026, 10, 24, 23, 59, 59).getTime(), now)).toBe('2026-11-25 00:00');
});
