import { compareWalks, type Difference, isSame } from './compare-walks.ts';
import type { Times } from './file-clock.ts';
import type { ScanRecord } from './scan-record.ts';
import type { Walk } from './walk.ts';

/** Of a command that runs. */
export interface OpenScan extends Omit<Times, 'over'> {
  readonly before: Walk;
  /** What another command, too, may have done. */
  readonly shared: Set<string>;
  /** With what others have made of paths since. */
  expected: Walk;
  readonly record: ScanRecord | undefined;
}

/** What has changed when its command is over. What has changed since one of the `others` began may be of either. */
export function changesIn(scan: OpenScan, after: Walk, others: Iterable<OpenScan>): readonly Difference[] {
  const changes = compareWalks(scan.expected, after);
  for (const other of others)
    for (const { path, after: now } of changes)
      if (!isSame(other.expected.found.get(path), now))
        for (const { shared } of [scan, other]) shared.add(path);
  return changes.map((each) => (scan.shared.has(each.path) ? { ...each, isShared: true } : each));
}
