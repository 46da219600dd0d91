// Reports the differences of two walks, with previous and current contents where they are available.
import type { ScannedChange, ScannedChanges, ScannedEntry } from '../../core/ports/workspace-scan.ts';
import type { BytePack } from './byte-pack.ts';
import { type Difference, isSameInode } from './compare-walks.ts';
import { hashNow, isWorthKeeping, readNow } from './content-cache.ts';
import type { MovedRepository } from './moved-repositories.ts';
import { reportUncovered } from './report-uncovered.ts';
import type { WalkEntry } from './walk.ts';

export interface ScanLimits {
  /** Files, links and directories that a walk looks at. */
  readonly maxEntries: number;
  /** All contents together, in bytes. */
  readonly maxBytes: number;
  /** Changes of one command that are listed one by one. */
  readonly maxChanges: number;
  /** The same for folders that can be made again. */
  readonly maxMadeChanges: number;
  /**
   * A command that took this many times as long as a walk is followed by one, although the watch may be
   * enough: a watch misses what a program writes through mapped memory.
   */
  readonly walkWorth: number;
}

/** What the walks could not determine, by absolute paths. */
export interface Missed {
  /** Directories that were not read. */
  readonly unread: readonly string[];
  /** Directories that hold names that are not UTF-8. */
  readonly mangled: readonly string[];
  readonly repositories?: readonly MovedRepository[];
  /** Paths that the command or someone else changed. */
  readonly doubtful?: readonly string[];
  /** Pipes, sockets and devices that were made or removed. */
  readonly special?: readonly string[];
  /** The command goes on in the background. */
  readonly isBackground?: boolean;
}

interface Place {
  readonly roots: readonly string[];
  readonly limits: ScanLimits;
  /** Holds the stored contents of both walks. */
  readonly pack: BytePack;
}

/** Bytes. A larger file is not read, because no restore would touch it. */
const MAX_READ = 50_000_000;

export function reportDifferences(
  differences: readonly Difference[],
  { unread, mangled, repositories = [], doubtful = [], special = [], isBackground = false }: Missed,
  { roots, limits, pack }: Place,
): ScannedChanges {
  const reported = worthListing(differences, limits);
  const changes = changesOf(reported, pack, limits.maxBytes);
  const unreadOn = (side: 'before' | 'after') =>
    changes.filter((change) => isUnread(change[side])).map(({ path }) => path);
  const shared = differences.filter(({ isShared }) => isShared).map(({ path }) => path);
  const uncovered = reportUncovered(roots, {
    unlooked: [...new Set(unread)],
    mangled: [...new Set(mangled)],
    unlisted: differences.length - reported.length,
    unkept: unreadOn('before'),
    unread: unreadOn('after'),
    repositories,
    special,
    ...(isBackground
      ? { shared: [], doubtful: [], background: [...shared, ...doubtful] }
      : { shared, doubtful, background: [] }),
  });
  return { changes, uncovered };
}

/** `room` is the number of bytes that may be read of current contents. */
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

/** Identifies a file under any name, as long as its size and time show no write. */
function writingOf({ inode, born, size, modified }: WalkEntry): string {
  return `${inode} ${born} ${size} ${modified}`;
}

/** A moved file holds at its new path what it held before, whether or not that was stored. */
function entryBefore(
  found: WalkEntry | undefined,
  pack: BytePack,
  moved: ReadonlyMap<string, ScannedEntry>,
): ScannedEntry {
  const entry = keptEntry(found, pack);
  const later = found && isUnread(entry) ? moved.get(writingOf(found)) : undefined;
  const { bytes, hash } = later ?? {};
  return { ...entry, ...(bytes && { bytes }), ...(hash && { hash }) };
}

function contentNow(path: string, found: WalkEntry): Pick<ScannedEntry, 'bytes' | 'hash'> {
  let known: Promise<string> | undefined;
  const hash = () => (known ??= hashNow(path));
  return isWorthKeeping(found) ? { bytes: () => readNow(path) } : { hash };
}

function isUnread(entry: ScannedEntry): boolean {
  return entry.kind === 'file' && !entry.bytes && !entry.hash;
}

function keptEntry(found: WalkEntry | undefined, pack: BytePack): ScannedEntry {
  if (!found) return { kind: 'absent' };
  const { kind, mode, size, target, kept } = found;
  if (kind === 'link') return { kind, target };
  if (kind === 'directory') return { kind, mode };
  const content = kept && { bytes: () => pack.get(kept) };
  return { kind, mode, size, ...content };
}

function worthListing(
  differences: readonly Difference[],
  { maxChanges, maxMadeChanges }: ScanLimits,
): readonly Difference[] {
  const sorted = differences.toSorted(byWorth);
  const own = sorted.filter((each) => !isMade(each)).slice(0, maxChanges);
  const made = sorted.filter(isMade).slice(0, Math.min(maxMadeChanges, maxChanges - own.length));
  return [...own, ...made].sort(byPath);
}

function isMade({ before, after }: Difference): boolean {
  return (before ?? after)?.isMade === true;
}

/**
 * Drops new entries first. A new entry may hold moved content, and a restore may
 * remove it only if its origin is known.
 */
function byWorth(one: Difference, other: Difference): number {
  return (other.before ? 1 : 0) - (one.before ? 1 : 0);
}

function byPath(one: Difference, other: Difference): number {
  return one.path < other.path ? -1 : 1;
}
