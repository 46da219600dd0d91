import { isSameInode } from './compare-walks.ts';
import type { Walk } from './walk.ts';

/** Some file systems keep times by two seconds, or by one. Nanoseconds. */
export const COARSE = 2_000_000_000n;
/** The others by what the system counts between two ticks. Nanoseconds. */
const TICK = 20_000_000n;
const SECOND = 1_000_000_000n;

/** Of a command, by the clock of this machine. Nanoseconds since the epoch. */
export interface Times {
  /** Before the first walk. */
  readonly asked: bigint;
  /** Behind it. */
  readonly begun: bigint;
  /** Behind the second one. */
  readonly over: bigint;
}

/** Of this machine. Nanoseconds since the epoch. */
export function machineTime(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** How much earlier than something happened its time in the file system may be. Nanoseconds. */
function grainOf(time: bigint): bigint {
  return time % SECOND === 0n ? COARSE : TICK;
}

/** The clock of the file system that the workspace is in, which may be another machine's. */
export class FileClock {
  /** Nanoseconds, as near as the times of directories have shown it. */
  #ahead = 0n;

  /** What it shows at a time of this machine's. */
  at(time: bigint): bigint {
    return time + this.#ahead;
  }

  /** Learns from the directories that were touched between two walks. */
  learn(before: Walk, after: Walk, times: Times): void {
    for (const [path, now] of [...after.roots, ...after.found]) {
      const old = before.roots.get(path) ?? before.found.get(path);
      const isTouched = now.kind === 'directory' && isSameInode(old, now) && old?.touched !== now.touched;
      if (isTouched) this.#learn(now.touched, times);
    }
  }

  #learn(touched: bigint, { asked, begun, over }: Times): void {
    const [least, most] = [touched - over, touched - asked + grainOf(touched)];
    // Most likely it was the command that touched it: what had been saved long before that is not its own.
    if (this.#ahead > most) this.#ahead = touched - begun - SECOND;
    if (this.#ahead < least) this.#ahead = least;
  }
}
