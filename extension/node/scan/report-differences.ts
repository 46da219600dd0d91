// What two walks differ in, as it is told, with the contents of before and now as far as they are to be had.
import type { ScannedChange, ScannedChanges, ScannedEntry } from '../../core/ports/workspace-scan.ts';
import type { BytePack } from './byte-pack.ts';
import { type Difference, isSameInode } from './compare-walks.ts';
import { hashNow, isWorthKeeping, readNow } from './content-cache.ts';
import type { MovedRepository } from './moved-repositories.ts';
import { reportUncovered } from './report-uncovered.ts';
import type { Found } from './walk.ts';

export interface ScanLimits {
  /** Files, links and directories that are looked at. */
  readonly maxEntries: number;
  /** Of all contents together. Bytes. */
  readonly maxBytes: number;
  /** Changes of one command that are told one by one. */
  readonly maxChanges: number;
}

/** What could not be told apart from what is there, by absolute paths. */
export interface Missed {
  /** Directories. */
  readonly unread: readonly string[];
  /** Directories that hold names that are not UTF-8. */
  readonly mangled: readonly string[];
  readonly repositories?: readonly MovedRepository[];
  /** Changed by the command or by somebody else. */
  readonly doubtful?: readonly string[];
}

interface Place {
  readonly roots: readonly string[];
  readonly limits: ScanLimits;
  /** Where what is kept of both walks lies. */
  readonly pack: BytePack;
}

/** A larger file is not read, since no restore would touch it. Bytes. */
const MAX_READ = 50_000_000;

export function reportDifferences(
  differences: readonly Difference[],
  { unread, mangled, repositories = [], doubtful = [] }: Missed,
  { roots, limits, pack }: Place,
): ScannedChanges {
  const told = differences.toSorted(byWorth).slice(0, limits.maxChanges).sort(byPath);
  const changes = changesOf(told, pack, limits.maxBytes);
  const unreadOn = (side: 'before' | 'after') =>
    changes.filter((change) => isUnread(change[side])).map(({ path }) => path);
  const uncovered = reportUncovered(roots, {
    unlooked: [...new Set(unread)],
    mangled: [...new Set(mangled)],
    unlisted: differences.length - told.length,
    unkept: unreadOn('before'),
    unread: unreadOn('after'),
    repositories,
    doubtful,
    shared: differences.filter(({ isShared }) => isShared).map(({ path }) => path),
  });
  return { changes, uncovered };
}

/** `room`: how much is read of what lies there now. Bytes. */
function changesOf(
  differences: readonly Difference[],
  pack: BytePack,
  room: number,
): readonly ScannedChange[] {
  let left = room;
  const moved = new Map<string, ScannedEntry>();
  const found = differences.map(({ path, before, after, isShared }) => {
    const kept = keptEntry(after, pack);
    const isToRead = after && isUnread(kept) && after.size <= Math.min(left, MAX_READ);
    if (isToRead) left -= after.size;
    const now = isToRead ? { ...kept, ...contentNow(path, after) } : kept;
    if (after && !isSameInode(before, after)) moved.set(writingOf(after), now);
    return { path, before, after: now, isShared };
  });
  return found.map(({ path, before, after, isShared }) => ({
    path,
    before: entryBefore(before, pack, moved),
    after,
    ...(isShared && { isShared }),
  }));
}

/** The same file, perhaps with another name, to which nobody has written by its size and time. */
function writingOf({ inode, born, size, modified }: Found): string {
  return `${inode} ${born} ${size} ${modified}`;
}

/** What was moved holds at its new place what it held, kept or not. */
function entryBefore(
  found: Found | undefined,
  pack: BytePack,
  moved: ReadonlyMap<string, ScannedEntry>,
): ScannedEntry {
  const entry = keptEntry(found, pack);
  const later = found && isUnread(entry) ? moved.get(writingOf(found)) : undefined;
  const { bytes, hash } = later ?? {};
  return { ...entry, ...(bytes && { bytes }), ...(hash && { hash }) };
}

function contentNow(path: string, found: Found): Pick<ScannedEntry, 'bytes' | 'hash'> {
  let known: Promise<string> | undefined;
  const hash = () => (known ??= hashNow(path));
  return isWorthKeeping(found) ? { bytes: () => readNow(path) } : { hash };
}

function isUnread(entry: ScannedEntry): boolean {
  return entry.kind === 'file' && !entry.bytes && !entry.hash;
}

function keptEntry(found: Found | undefined, pack: BytePack): ScannedEntry {
  if (!found) return { kind: 'absent' };
  const { kind, mode, size, target, kept } = found;
  if (kind === 'link') return { kind, target };
  if (kind === 'directory') return { kind, mode };
  const content = kept && { bytes: () => pack.get(kept) };
  return { kind, mode, size, ...content };
}

/**
 * What can be made again is left out first, then what is new: it may come from what has gone, and may be taken away only
 * where that is known.
 */
function byWorth(one: Difference, other: Difference): number {
  return worthOf(other) - worthOf(one);
}

function worthOf({ before, after }: Difference): number {
  return ((before ?? after)?.isMade ? 0 : 2) + (before ? 1 : 0);
}

function byPath(one: Difference, other: Difference): number {
  return one.path < other.path ? -1 : 1;
}
