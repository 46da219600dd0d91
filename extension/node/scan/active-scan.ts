import { changed, compareWalks, type Difference, isSame } from './compare-walks.ts';
import type { Times } from './file-clock.ts';
import type { ScanRecord } from './scan-record.ts';
import type { Walk, WalkEntry } from './walk.ts';

/** The scan of a running command. */
export interface OpenScan extends Omit<Times, 'over'> {
  readonly session: string | undefined;
  before: Walk;
  /** Paths that another command may have changed, too. */
  readonly shared: Set<string>;
  /** `before`, updated with what others have changed since. */
  expected: Walk;
  record: ScanRecord | undefined;
  /** The command goes on in the background, so every change is in doubt. */
  isBackground: boolean;
  /** What the command changed in the background before another one began, and no report has yet. */
  waiting: readonly Difference[];
}

/**
 * Returns the changes when the command is over. Marks a change as shared if it happened after one of the
 * `others` began, because either command may have made it. A background command of the same session made none
 * of them.
 */
export function changesIn(scan: OpenScan, after: Walk, others: Iterable<OpenScan>): readonly Difference[] {
  const changes = compareWalks(scan.expected, after);
  for (const other of others) {
    if (isBackgroundOf(other, scan)) continue;
    for (const { path, after: now } of changes)
      if (!isSame(other.expected.found.get(path), now))
        for (const { shared } of [scan, other]) shared.add(path);
  }
  const isShared = (path: string) => scan.isBackground || scan.shared.has(path);
  return joined(scan.waiting, changes).map((each) =>
    isShared(each.path) ? { ...each, isShared: true } : each,
  );
}

/** Whether the command is in the background, and one of its session runs in the foreground. */
export function isOvershadowed(scan: OpenScan, open: Iterable<OpenScan>): boolean {
  return [...open].some((other) => isBackgroundOf(scan, other) && !other.isBackground);
}

/**
 * Counts what has changed until now, when another command begins, as the background commands'. The first one
 * of a session has all of it.
 */
export function setAside(open: Iterable<OpenScan>, now: Walk): void {
  const sessions = new Set<string | undefined>();
  for (const scan of open) {
    if (!scan.isBackground || isOvershadowed(scan, open)) continue;
    if (!sessions.has(scan.session)) scan.waiting = joined(scan.waiting, compareWalks(scan.expected, now));
    scan.expected = now;
    sessions.add(scan.session);
  }
}

/** Whether `one` is a background command of the session of `other`. */
export function isBackgroundOf(one: OpenScan, other: OpenScan): boolean {
  return one.isBackground && one.session === other.session;
}

/** Counts what others have changed as what the command found. */
export async function absorbInto(
  scan: OpenScan,
  taken: ReadonlyMap<string, WalkEntry | undefined>,
): Promise<void> {
  scan.expected = changed(scan.expected, taken);
  await scan.record?.absorb(taken, scan.expected.listed);
}

/** Both lists as one, in the order of the paths. */
function joined(first: readonly Difference[], later: readonly Difference[]): readonly Difference[] {
  if (first.length === 0) return later;
  const all = new Map(first.map((each) => [each.path, each]));
  for (const each of later) all.set(each.path, { ...each, before: (all.get(each.path) ?? each).before });
  return [...all.values()]
    .filter(({ before, after }) => !isSame(before, after))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}
