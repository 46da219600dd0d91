import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { PathChange } from './file-history.ts';
import { isContent } from './file-states.ts';
import { type Changed, heirsOf } from './heirs.ts';
import { isUnseen } from './look-at.ts';
import { withLinesOf } from './lost-lines.ts';
import { hashOfKept } from './named-blobs.ts';
import type { PlannedRestore, RestorePorts } from './plan-restore.ts';

/**
 * No restore takes the last copy of anything from the disk without being told to. Where a file does not become again what
 * it was, what holds that stays, and so does what may hold it in another form, and what has lines of it; so does what may
 * have been moved here from elsewhere. Where nobody can see what lies at its path, or nothing does and what was kept of it
 * is lost, all stays that would go: it may have been moved from there.
 */
export async function withLastCopies(
  plan: readonly PlannedRestore[],
  changed: Changed,
  ports: RestorePorts,
): Promise<readonly PlannedRestore[]> {
  const missing = plan.filter(({ then, step }) => isContent(then) && isStaying(step));
  const brought = broughtIn(changed);
  if (missing.length === 0 && brought.size === 0) return plan;
  const heldOf = holdersOf(missing, brought, changed);
  const doubts = new Map<string, string>();
  const others: PlannedRestore[] = [];
  for (const planned of plan.filter(isGoing(plan))) {
    const held = heldOf(planned);
    if (brought.has(planned.path))
      doubts.set(planned.path, say('it may be a file that was moved here from elsewhere'));
    else if (held === undefined) others.push(planned);
    else doubts.set(planned.path, tellHeld(held));
  }
  for (const [path, of] of await withLinesOf(missing, others, changed, ports)) doubts.set(path, tellHeld(of));
  return plan.map((planned) => {
    const why = doubts.get(planned.path);
    return why === undefined ? planned : { ...planned, step: { kind: 'conflict', why } };
  });
}

function tellHeld(path: string): string {
  return say('it may hold what {0} was, which cannot be put back', path);
}

/** It stays as it is, whatever it was. */
export function isStaying({ kind }: PlannedRestore['step']): boolean {
  return kind === 'conflict' || kind === 'unkept' || kind === 'occupied';
}

/** Tells what would lie nowhere any more. */
function isGoing(plan: readonly PlannedRestore[]): (planned: PlannedRestore) => boolean {
  const back = new Set(plan.filter(({ step }) => !isStaying(step)).map(({ then }) => printOf(then)));
  return ({ now, step }) =>
    (step.kind === 'restore' || step.kind === 'merge') && isContent(now) && !back.has(printOf(now));
}

/** Tells the path of which something that goes holds what it was, or may do so. */
function holdersOf(
  missing: readonly PlannedRestore[],
  brought: ReadonlySet<string>,
  changed: Changed,
): (planned: PlannedRestore) => string | undefined {
  const lost = missing
    .filter(({ then }) => !isDisposable(then))
    .map(({ path, then, step }) => ({ path, isKept: step.kind !== 'unkept' && isKept(then) }));
  const heirs = heirsOf([...[...brought].map((path) => ({ path, isKept: false })), ...lost], changed);
  const prints = new Map(missing.map(({ path, then }) => [printOf(then), path]));
  const unknown = missing.find(isUnknown)?.path;
  return ({ path, now, then }) =>
    prints.get(printOf(now)) ?? (then.kind === 'absent' ? unknown : undefined) ?? heirs.get(path);
}

function isUnknown({ then, now, step }: PlannedRestore): boolean {
  const isLost = step.kind === 'unkept' && now.kind === 'absent' && hashOfKept(then) !== undefined;
  return isLost || isUnseen(now);
}

/** Tells contents, and links, from others; those that were never read only by their size. */
function printOf(state: FileState): string {
  if (state.kind === 'link') return `to ${state.target}`;
  return state.kind === 'file' ? state.hash || `of ${state.size}` : '';
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
