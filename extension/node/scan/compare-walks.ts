import { dirname } from 'node:path';
import type { Walk, WalkEntry } from './walk.ts';

export interface Difference {
  readonly path: string;
  readonly before: WalkEntry | undefined;
  readonly after: WalkEntry | undefined;
  /** Another command that ran at the same time may have made the change. */
  readonly isShared?: boolean;
}

/** Returns the differences where both walks have looked, in the order of the paths. */
export function compareWalks(before: Walk, after: Walk): readonly Difference[] {
  if (before === after) return [];
  const differences: Difference[] = [];
  const isGone = missingIn(after);
  for (const [path, old] of before.found) {
    const now = after.found.get(path);
    if (now ? !isSame(old, now) : isGone(path)) differences.push({ path, before: old, after: now });
  }
  const isNew = missingIn(before);
  for (const [path, now] of after.found) {
    if (!before.found.has(path) && isNew(path)) differences.push({ path, before: undefined, after: now });
  }
  return differences.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Applies the changes that others made to `paths`. Marks a new directory as listed, so that later entries
 * below it count as new. Does not mark a directory without known entries, such as one that holds too much.
 */
export function changed(walk: Walk, paths: ReadonlyMap<string, WalkEntry | undefined>): Walk {
  const wasMissing = missingIn(walk);
  const filled = new Set([...paths].filter(([, now]) => now).map(([path]) => dirname(path)));
  const [found, listed] = [new Map(walk.found), new Set(walk.listed)];
  for (const [path, now] of paths) {
    const isNew = now?.kind === 'directory' && walk.found.get(path)?.kind !== 'directory' && wasMissing(path);
    if (now) found.set(path, now);
    else for (const known of [found, listed]) known.delete(path);
    if (isNew && filled.has(path)) listed.add(path);
  }
  return { ...walk, found, listed };
}

/**
 * Returns a test for a path that the walk did not find: true if it did not exist, false if the walk did not
 * look there.
 */
function missingIn({ found, listed }: Walk): (path: string) => boolean {
  const areEmpty = new Map<string, boolean>();
  const holdsNoOther = (directory: string): boolean => {
    const known = areEmpty.get(directory);
    if (known !== undefined) return known;
    const entry = found.get(directory);
    const parent = dirname(directory);
    // Nothing lies below a link, a file or a missing directory.
    const isEmpty =
      listed.has(directory) ||
      (entry ? entry.kind !== 'directory' : parent !== directory && holdsNoOther(parent));
    areEmpty.set(directory, isEmpty);
    return isEmpty;
  };
  return (path) => holdsNoOther(dirname(path));
}

export function isSame(one: WalkEntry | undefined, other: WalkEntry | undefined): boolean {
  if (one === other) return true;
  if (!one || !other || one.kind !== other.kind) return false;
  if (one.kind === 'link') return one.target === other.target;
  if (one.mode !== other.mode) return false;
  return one.kind === 'directory' || hasSameBytes(one, other);
}

function hasSameBytes(one: WalkEntry, other: WalkEntry): boolean {
  if (one.kept && other.kept) return one.kept === other.kept;
  return isUntouched(one, other);
}

/** Whether both are the same file, perhaps with another name and other bytes. */
export function isSameInode(one: WalkEntry | undefined, other: WalkEntry | undefined): boolean {
  return one !== undefined && one.inode === other?.inode && one.born === other.born;
}

/** A program can reset a file's size and modification time, but not `touched`. */
export function isUntouched(one: WalkEntry | undefined, other: WalkEntry | undefined): boolean {
  return (
    one !== undefined &&
    one.size === other?.size &&
    one.modified === other.modified &&
    one.touched === other.touched
  );
}
