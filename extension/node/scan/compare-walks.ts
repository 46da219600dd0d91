import { dirname } from 'node:path';
import type { Found, Walk } from './walk-tree.ts';

export interface Difference {
  readonly path: string;
  readonly before: Found | undefined;
  readonly after: Found | undefined;
}

/** What differs, where both walks have looked, in the order of the paths. */
export function compareWalks(before: Walk, after: Walk): readonly Difference[] {
  const differences: Difference[] = [];
  const cameAndWent = new Map<string, boolean>();
  /** It was not there in the one walk, rather than not looked at. */
  const isMissing = (path: string, walk: Walk, other: Walk): boolean => {
    const parent = dirname(path);
    const key = `${walk === before} ${parent}`;
    const known =
      cameAndWent.get(key) ??
      (walk.listed.has(parent) ||
        (other.found.has(parent) &&
          !walk.found.has(parent) &&
          parent !== path &&
          isMissing(parent, walk, other)));
    cameAndWent.set(key, known);
    return known;
  };
  for (const [path, old] of before.found) {
    const now = after.found.get(path);
    if (now ? !isSame(old, now) : isMissing(path, after, before))
      differences.push({ path, before: old, after: now });
  }
  for (const [path, now] of after.found) {
    if (!before.found.has(path) && isMissing(path, before, after))
      differences.push({ path, before: undefined, after: now });
  }
  return differences.sort((one, other) => (one.path < other.path ? -1 : 1));
}

export function isSame(one: Found | undefined, other: Found | undefined): boolean {
  if (one === other) return true;
  if (!one || !other || one.kind !== other.kind) return false;
  if (one.kind === 'link') return one.target === other.target;
  if (one.mode !== other.mode) return false;
  return one.kind === 'directory' || hasSameBytes(one, other);
}

/** Of a file that is not kept its size and time have to do. */
function hasSameBytes(one: Found, other: Found): boolean {
  if (one.kept && other.kept) return one.kept === other.kept;
  return one.size === other.size && one.modified === other.modified;
}
