import type { Found } from './walk-tree.ts';

/** Nanoseconds. */
const MICROSECOND = 1_000n;
const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;

/**
 * The times of what lay in the workspace, by which it is known what was copied, packed or built of it. They may be kept less
 * exactly: by the microsecond or the millisecond, or of a file of the same size by the second.
 */
export class TimesHere {
  readonly #microseconds = new Set<bigint>();
  readonly #milliseconds = new Set<bigint>();
  readonly #seconds = new Set<string>();

  add(found: Found): void {
    this.#microseconds.add(found.modified / MICROSECOND);
    this.#milliseconds.add(found.modified / MILLISECOND);
    this.#seconds.add(secondOf(found));
  }

  haveOf(found: Found): boolean {
    const { modified } = found;
    if (isNear(this.#microseconds, modified / MICROSECOND)) return true;
    if (isWhole(modified) && isNear(this.#milliseconds, modified / MILLISECOND)) return true;
    return modified % SECOND === 0n && this.#seconds.has(secondOf(found));
  }
}

/** It may have been rounded up or down. */
function isNear(times: ReadonlySet<bigint>, time: bigint): boolean {
  return times.has(time) || times.has(time - 1n) || times.has(time + 1n);
}

/** In milliseconds, as nearly as a floating point number says. */
function isWhole(time: bigint): boolean {
  return (time + MICROSECOND) % MILLISECOND <= 2n * MICROSECOND;
}

function secondOf({ modified, size }: Found): string {
  return `${modified / SECOND} ${size}`;
}
