import { compareWalks, type Difference, isSame } from './compare-walks.ts';
import type { Times } from './file-clock.ts';
import type { ScanRecord } from './scan-record.ts';
import type { Found, Walk } from './walk-tree.ts';

/** Of a command that runs. */
export interface OpenScan extends Omit<Times, 'over'> {
  readonly before: Walk;
  /** What another command, too, may have done. */
  readonly shared: Set<string>;
  /** What others have made of paths meanwhile, instead of what `before` has of them. */
  readonly absorbed: Map<string, Found | undefined>;
  readonly record: ScanRecord | undefined;
}

/** What has changed when its command is over. What has changed since one of the `others` began may be of either. */
export function changesIn(scan: OpenScan, after: Walk, others: Iterable<OpenScan>): readonly Difference[] {
  const changes = compareWalks(changed(scan.before, scan.absorbed), after);
  for (const other of others)
    for (const { path, after: now } of changes)
      if (!isSame(foundBefore(other, path), now)) for (const { shared } of [scan, other]) shared.add(path);
  return changes.map((each) => (scan.shared.has(each.path) ? { ...each, isShared: true } : each));
}

function foundBefore({ before, absorbed }: OpenScan, path: string): Found | undefined {
  return absorbed.has(path) ? absorbed.get(path) : before.found.get(path);
}

export function changed({ found, ...walk }: Walk, paths: ReadonlyMap<string, Found | undefined>): Walk {
  const next = new Map(found);
  for (const [path, now] of paths) {
    if (now) next.set(path, now);
    else next.delete(path);
  }
  return { ...walk, found: next };
}
