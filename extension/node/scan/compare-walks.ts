import { dirname } from 'node:path';
import type { Found, Walk } from './walk.ts';

export interface Difference {
  readonly path: string;
  readonly before: Found | undefined;
  readonly after: Found | undefined;
  /** Another command that ran at the same time may have done it. */
  readonly isShared?: boolean;
}

/** What differs, where both walks have looked, in the order of the paths. */
export function compareWalks(before: Walk, after: Walk): readonly Difference[] {
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
 * With what somebody has made of paths. What comes below a directory that was not there is told apart from that, unless the
 * directory alone is known, as where it holds too much.
 */
export function changed(walk: Walk, paths: ReadonlyMap<string, Found | undefined>): Walk {
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

/** Tells of a path that a walk has not found whether it was not there, rather than not looked at. */
function missingIn({ found, listed }: Walk): (path: string) => boolean {
  const areEmpty = new Map<string, boolean>();
  const holdsNoOther = (directory: string): boolean => {
    const known = areEmpty.get(directory);
    if (known !== undefined) return known;
    const entry = found.get(directory);
    const parent = dirname(directory);
    // A link or a file has nothing below it, and neither has what is not there.
    const isEmpty =
      listed.has(directory) ||
      (entry ? entry.kind !== 'directory' : parent !== directory && holdsNoOther(parent));
    areEmpty.set(directory, isEmpty);
    return isEmpty;
  };
  return (path) => holdsNoOther(dirname(path));
}

export function isSame(one: Found | undefined, other: Found | undefined): boolean {
  if (one === other) return true;
  if (!one || !other || one.kind !== other.kind) return false;
  if (one.kind === 'link') return one.target === other.target;
  if (one.mode !== other.mode) return false;
  return one.kind === 'directory' || hasSameBytes(one, other);
}

function hasSameBytes(one: Found, other: Found): boolean {
  if (one.kept && other.kept) return one.kept === other.kept;
  return isUntouched(one, other);
}

/** Perhaps with another name, and other bytes. */
export function isSameInode(one: Found | undefined, other: Found | undefined): boolean {
  return one !== undefined && one.inode === other?.inode && one.born === other.born;
}

/** Its size and the time it was written can be set to what they were, the last touch cannot. */
export function isUntouched(one: Found | undefined, other: Found | undefined): boolean {
  return (
    one !== undefined &&
    one.size === other?.size &&
    one.modified === other.modified &&
    one.touched === other.touched
  );
}
