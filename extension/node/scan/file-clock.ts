import { isSameInode } from './compare-walks.ts';
import type { Walk } from './walk.ts';

/** Nanoseconds. Some file systems store times in steps of one or two seconds. */
export const COARSE = 2_000_000_000n;
/** Nanoseconds. The other file systems store times in steps of the system's clock tick. */
const TICK = 20_000_000n;
const SECOND = 1_000_000_000n;

/** Times of a command by the clock of this machine, in nanoseconds since the epoch. */
export interface Times {
  /** Before the first walk. */
  readonly asked: bigint;
  /** After the first walk. */
  readonly begun: bigint;
  /** After the second walk. */
  readonly over: bigint;
}

/** The time of this machine, in nanoseconds since the epoch. */
export function machineTime(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** How much earlier than an event its time in the file system may be, in nanoseconds. */
function grainOf(time: bigint): bigint {
  return time % SECOND === 0n ? COARSE : TICK;
}

/** Estimates the clock of the workspace's file system, which may be another machine's. */
export class FileClock {
  /** Nanoseconds by which the file system is ahead, as near as directory times have shown. */
  #ahead = 0n;

  /** Converts a time of this machine to the file system's clock. */
  at(time: bigint): bigint {
    return time + this.#ahead;
  }

  /** Learns from the directories that were touched between two walks. */
  learn(before: Walk, after: Walk, times: Times): void {
    if (before === after) return;
    for (const [path, now] of [...after.roots, ...after.found]) {
      const old = before.roots.get(path) ?? before.found.get(path);
      const isTouched = now.kind === 'directory' && isSameInode(old, now) && old?.touched !== now.touched;
      if (isTouched) this.#learn(now.touched, times);
    }
  }

  #learn(touched: bigint, { asked, begun, over }: Times): void {
    const [least, most] = [touched - over, touched - asked + grainOf(touched)];
    // The command most likely touched the directory. A file saved long before that is not the command's.
    if (this.#ahead > most) this.#ahead = touched - begun - SECOND;
    if (this.#ahead < least) this.#ahead = least;
  }
}
