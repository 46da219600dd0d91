import { dirname } from 'node:path';
import { say } from '../../../protocol/say.ts';
import { storedHashOf } from '../blob-names.ts';
import { isUnseen } from '../current-state.ts';
import type { Changed, PathChange } from '../file-history.ts';
import { isDisposable } from '../file-state.ts';
import { contentKey, KeptPaths } from './kept-paths.ts';
import type { LostLines } from './lost-lines.ts';
import { isEmptied, isWritten, possibleCopiesOf } from './possible-copies.ts';
import type { PlannedRestore } from './types.ts';

/**
 * No restore takes the last copy of anything from the disk without being told to. Where a file does not become again what
 * it was, what holds that stays, and so does what may hold it in another form, and what has lines of it; so does what may
 * have been moved here from elsewhere. Where nobody can see what lies at its path, or nothing does and what was kept of it
 * is lost, all stays that would go: it may have been moved from there.
 */
export async function preserveLastCopies(
  plan: readonly PlannedRestore[],
  changed: Changed,
  lines: LostLines,
): Promise<readonly PlannedRestore[]> {
  const brought = movedInPaths(changed);
  const stay = new KeptPaths(plan);
  if (stay.missing.length === 0 && brought.size === 0) return plan;
  const isMoved = say('it may be a file that was moved here from elsewhere');
  for (let count = -1; count !== stay.count; ) {
    count = stay.count;
    for (const path of brought) stay.keep(path, isMoved);
    await followContents(stay, lines);
    const unknown = stay.missing.find(isUnknown);
    if (unknown)
      for (const { path, then } of plan) if (then.kind === 'absent') stay.keep(path, tellHeld(unknown.path));
    await followHeirs(stay, brought, changed, lines);
  }
  return plan.map((planned) => {
    const why = stay.whyOf(planned.path);
    return why === undefined ? planned : { ...planned, step: { kind: 'conflict', why } };
  });
}

/** What has the contents or the lines of a file that is missing stays, and may be missing itself then: each is asked once. */
async function followContents(stay: KeptPaths, lines: LostLines): Promise<void> {
  for (const one of stay.unfollowed()) {
    const why = tellHeld(one.path, await lines.isKept(one));
    for (const path of stay.pathsWith(contentKey(one.then))) stay.keep(path, why);
    for (const path of await lines.holdersOf(one)) stay.keep(path, why);
  }
}

function tellHeld(path: string, isKept = false): string {
  if (isKept) return say('it may hold what {0} was, which is not put back', path);
  return say('it may hold what {0} was, which cannot be put back', path);
}

/**
 * What may hold a file that is missing in another form stays. Of one whose bytes are kept, a text does not: it has none of its
 * lines, and the file can be had again. But what lies in its place may be what it was converted into. Nor does a text that
 * was overwritten beside one that still holds something: both are edited.
 */
async function followHeirs(
  stay: KeptPaths,
  brought: ReadonlySet<string>,
  changed: Changed,
  lines: LostLines,
): Promise<void> {
  const kept = new Set<string>();
  const unkept = new Set(brought);
  for (const one of stay.missing)
    if (!isDisposable(one.then)) ((await lines.isKept(one)) ? kept : unkept).add(one.path);
  for (const [path, of] of possibleCopiesOf([...unkept], false, changed, isEmptied))
    stay.keep(path, tellHeld(of));
  const packed = possibleCopiesOf([...unkept], false, changed, isWritten);
  for (const [path, of] of [...packed, ...possibleCopiesOf([...kept], true, changed)]) {
    const planned = stay.going(path);
    if (planned && (isBelow(path, kept) || (await lines.areUnknown(planned))))
      stay.keep(path, tellHeld(of, kept.has(of)));
  }
}

function isUnknown({ then, now, step }: PlannedRestore): boolean {
  const isLost = step.kind === 'unkept' && now.kind === 'absent' && storedHashOf(then) !== undefined;
  return isLost || isUnseen(now);
}

function isBelow(path: string, others: ReadonlySet<string>): boolean {
  let above = dirname(path);
  while (above !== dirname(above) && !others.has(above)) above = dirname(above);
  return others.has(above);
}

/** Paths at which commands have put what is older than they are. */
export function movedInPaths(changed: Changed): ReadonlySet<string> {
  return new Set([...changed].filter(([, changes]) => changes.some(isBrought)).map(([path]) => path));
}

function isBrought({ after }: PathChange): boolean {
  return after.kind === 'file' && after.brought === true;
}
