import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds in which nothing more may be counted, and after which whatever still counts does not come to rest. */
const REST = 4_000;
const LONGEST = 60_000;

/** What `count` gives once it has stood still: a window takes its time to open, on a busy machine more than once. */
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
