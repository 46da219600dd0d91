import { type Difference, isSameInode } from './compare-walks.ts';
import { grainOf } from './file-clock.ts';
import type { Found, Walk } from './walk.ts';

/**
 * Marks the files, links and directories that a command has put where they are, and that are older than it: none of those that lay here, nor one
 * that it has made with the time of one of them (`TimesHere`). They may come from where nothing is looked at. `begun`: when the command did, by the clock of the file system. Nanoseconds since the epoch.
 */
export function markMovedIn(
  before: Walk,
  begun: bigint,
  differences: readonly Difference[],
): readonly Difference[] {
  const older = differences.filter((each) => ageOf(each, begun) !== undefined);
  if (older.length === 0) return differences;
  const here = new Set<string>();
  const times = new TimesHere();
  for (const found of before.found.values()) {
    here.add(nameOf(found));
    times.add(found);
  }
  const isHere = ({ before: old, after }: Difference) =>
    after &&
    (here.has(nameOf(after)) || (ageOf({ before: old, after }, begun) === 'written' && times.haveOf(after)));
  const brought = new Set(older.filter((each) => !isHere(each)));
  return differences.map((each) => (brought.has(each) ? { ...each, isBrought: true } : each));
}

/** Whether what a command has put there was born, or only written, before it. Undefined for what was not. */
function ageOf(
  { before, after }: Pick<Difference, 'before' | 'after'>,
  begun: bigint,
): 'born' | 'written' | undefined {
  if (!after || after.isMade || isSameInode(before, after)) return undefined;
  const isOlder = (time: bigint) => time + grainOf(time) < begun;
  // In the place of another file Windows gives it the age of that.
  if (after.born > 0n && isOlder(after.born) && after.born !== before?.born) return 'born';
  // What unpacks or copies directories gives them their old times, too, and their files are asked about.
  if (after.kind === 'directory' && after.born > 0n) return undefined;
  return isOlder(after.modified) ? 'written' : undefined;
}

function nameOf({ inode, born }: Found): string {
  return `${inode} ${born}`;
}

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
