import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelay } from '../../../extension/core/loop/retry.ts';

const busy = { kind: 'overloaded', message: 'It is busy.', retryable: true } as const;
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('waits grow up to half a minute, each a quarter more or less', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), chance, (attempt, random) => {
      const wait = retryDelay(busy, attempt, false, () => random) ?? 0;
      const middle = 1_000 * 2 ** (attempt - 1);
      expect(wait).toBeGreaterThanOrEqual(middle * 0.75);
      expect(wait).toBeLessThanOrEqual(middle * 1.25);
    }),
  );
});

test('what the server asks for is never undercut, and those who were told the same do not come back at once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10_000, max: 60_000 }), chance, (retryAfterMs, random) => {
      const wait = retryDelay({ ...busy, retryAfterMs }, 1, false, () => random) ?? 0;
      expect(wait).toBeGreaterThanOrEqual(retryAfterMs);
      expect(wait).toBeLessThanOrEqual(retryAfterMs + 1_000);
    }),
  );
  const waits = [0, 0.3, 0.6].map((random) =>
    retryDelay({ ...busy, retryAfterMs: 20_000 }, 1, false, () => random),
  );
  expect(new Set(waits).size).toBe(3);
});

test.each([
  ['an hour', { ...busy, retryAfterMs: 3_600_000 }, 1, false],
  ['what does not pass', { ...busy, retryable: false }, 1, false],
  ['the sixth attempt', busy, 5, false],
  ['the third after some words', busy, 2, true],
] as const)('%s is not waited for', (_, error, attempt, hadOutput) => {
  expect(retryDelay(error, attempt, hadOutput, () => 0)).toBeUndefined();
});
