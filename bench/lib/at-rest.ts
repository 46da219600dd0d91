import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds without a new count that mean rest, and after which a growing count never rests. */
const REST = 4_000;
const LONGEST = 60_000;

/**
 * Resolves with `count` when it no longer grows. A window takes time to open, on a busy machine in several
 * steps.
 */
export async function untilAtRest(count: () => Promise<number>): Promise<number> {
  const deadline = performance.now() + LONGEST;
  let counted = Number.NaN;
  let before: number;
  do {
    before = counted;
    await sleep(REST);
    counted = await count();
  } while (counted !== before && performance.now() < deadline);
  return counted;
}
