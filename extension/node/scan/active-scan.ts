import { compareWalks, type Difference, isSame } from './compare-walks.ts';
import type { Times } from './file-clock.ts';
import type { ScanRecord } from './scan-record.ts';
import type { Walk } from './walk.ts';

/** The scan of a running command. */
export interface OpenScan extends Omit<Times, 'over'> {
  readonly before: Walk;
  /** Paths that another command may have changed, too. */
  readonly shared: Set<string>;
  /** `before`, updated with what others have changed since. */
  expected: Walk;
  readonly record: ScanRecord | undefined;
}

/**
 * Returns the changes when the command is over. Marks a change as shared if it happened after one of the
 * `others` began, because either command may have made it.
 */
export function changesIn(scan: OpenScan, after: Walk, others: Iterable<OpenScan>): readonly Difference[] {
  const changes = compareWalks(scan.expected, after);
  for (const other of others)
    for (const { path, after: now } of changes)
      if (!isSame(other.expected.found.get(path), now))
        for (const { shared } of [scan, other]) shared.add(path);
  return changes.map((each) => (scan.shared.has(each.path) ? { ...each, isShared: true } : each));
}
