import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { PathChange } from './file-history.ts';
import { type Changed, heirsOf } from './heirs.ts';
import { isUnseen } from './look-at.ts';
import type { LostLines } from './lost-lines.ts';
import { hashOfKept } from './named-blobs.ts';
import type { PlannedRestore } from './plan-restore.ts';
import { printOf, Staying } from './staying.ts';

/**
 * No restore takes the last copy of anything from the disk without being told to. Where a file does not become again what
 * it was, what holds that stays, and so does what may hold it in another form, and what has lines of it; so does what may
 * have been moved here from elsewhere. Where nobody can see what lies at its path, or nothing does and what was kept of it
 * is lost, all stays that would go: it may have been moved from there.
 */
export async function withLastCopies(
  plan: readonly PlannedRestore[],
  changed: Changed,
  lines: LostLines,
): Promise<readonly PlannedRestore[]> {
  const brought = broughtIn(changed);
  const stay = new Staying(plan);
  if (stay.missing.length === 0 && brought.size === 0) return plan;
  const isMoved = say('it may be a file that was moved here from elsewhere');
  for (let count = -1; count !== stay.count; ) {
    count = stay.count;
    for (const path of brought) stay.keep(path, isMoved);
    await followContents(stay, lines);
    const heldOf = holdersOf(stay.missing, brought, changed);
    for (const planned of plan) {
      const held = heldOf(planned);
      if (held !== undefined) stay.keep(planned.path, tellHeld(held));
    }
  }
  return plan.map((planned) => {
    const why = stay.whyOf(planned.path);
    return why === undefined ? planned : { ...planned, step: { kind: 'conflict', why } };
  });
}

/** What has the contents or the lines of a file that is missing stays, and may be missing itself then: each is asked once. */
async function followContents(stay: Staying, lines: LostLines): Promise<void> {
  for (const one of stay.unfollowed()) {
    const why = tellHeld(one.path);
    for (const path of stay.pathsWith(printOf(one.then))) stay.keep(path, why);
    for (const path of await lines.holdersOf(one)) stay.keep(path, why);
  }
}

function tellHeld(path: string): string {
  return say('it may hold what {0} was, which cannot be put back', path);
}

/** Tells the path of which something that goes may hold what it was in another form. */
function holdersOf(
  missing: readonly PlannedRestore[],
  brought: ReadonlySet<string>,
  changed: Changed,
): (planned: PlannedRestore) => string | undefined {
  const lost = missing
    .filter(({ then }) => !isDisposable(then))
    .map(({ path, then, step }) => ({ path, isKept: step.kind !== 'unkept' && isKept(then) }));
  const heirs = heirsOf([...[...brought].map((path) => ({ path, isKept: false })), ...lost], changed);
  const unknown = missing.find(isUnknown)?.path;
  return ({ path, then }) => (then.kind === 'absent' ? unknown : undefined) ?? heirs.get(path);
}

function isUnknown({ then, now, step }: PlannedRestore): boolean {
  const isLost = step.kind === 'unkept' && now.kind === 'absent' && hashOfKept(then) !== undefined;
  return isLost || isUnseen(now);
}

function isKept(state: FileState): boolean {
  return state.kind === 'link' || hashOfKept(state) !== undefined;
}

/** Paths at which commands have put what is older than they are. */
export function broughtIn(changed: Changed): ReadonlySet<string> {
  return new Set([...changed].filter(([, changes]) => changes.some(isBrought)).map(([path]) => path));
}

function isBrought({ after }: PathChange): boolean {
  return after.kind === 'file' && after.brought === true;
}

function isDisposable(state: FileState): boolean {
  return state.kind === 'file' && state.disposable === true;
}
