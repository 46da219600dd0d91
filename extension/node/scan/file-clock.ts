import { isSameFile } from './compare-walks.ts';
import type { Walk } from './walk-tree.ts';

/** Some file systems keep times by two seconds, or by one. Nanoseconds. */
export const COARSE = 2_000_000_000n;
/** The others by what the system counts between two ticks. Nanoseconds. */
const TICK = 20_000_000n;
const SECOND = 1_000_000_000n;

/** Of this machine. Nanoseconds since the epoch. */
export function machineTime(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** How much earlier than something happened its time in the file system may be. Nanoseconds. */
export function grainOf(time: bigint): bigint {
  return time % SECOND === 0n ? COARSE : TICK;
}

/** The clock of the file system that the workspace is in, which may be another machine's. */
export class FileClock {
  /** Nanoseconds, as far as the times of files have shown it: rather less than it is. */
  #ahead = 0n;

  /** What it shows at a time of this machine's. */
  at(time: bigint): bigint {
    return time + this.#ahead;
  }

  /** Learns from the directories that were touched between two walks, and between two times of this machine's clock. */
  learn(before: Walk, after: Walk, from: bigint, to: bigint): void {
    for (const [path, now] of [...after.roots, ...after.found]) {
      const old = before.roots.get(path) ?? before.found.get(path);
      const isTouched = now.kind === 'directory' && isSameFile(old, now) && old?.touched !== now.touched;
      if (isTouched) this.#learn(now.touched, from, to);
    }
  }

  #learn(touched: bigint, from: bigint, to: bigint): void {
    const [least, most] = [touched - to, touched - from + grainOf(touched)];
    if (this.#ahead < least || this.#ahead > most) this.#ahead = least;
  }
}
