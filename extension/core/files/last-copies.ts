import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { isContent, isSameFile, isSameState } from './file-states.ts';
import { isUnseen } from './look-at.ts';
import { hashOfKept } from './named-blobs.ts';
import type { PlannedRestore } from './plan-restore.ts';

/** What commands have done that a restore would take back: nobody knows how. */
export interface Traces {
  /** Hashes of what they have ever left. */
  readonly left: ReadonlySet<string>;
  /** Paths at which they have put what is older than they are. */
  readonly brought: ReadonlySet<string>;
}

/**
 * No restore takes the last copy of anything from the disk without being told to. Where a file does not become again what
 * it was, what holds that stays, and so does what a command has made, which may hold it in another form where it is not
 * kept; so does what may have been moved here from elsewhere. Where nobody can see what lies at its path, or nothing
 * does and what was kept of it is lost, all stays that would go: it may have been moved from there.
 */
export function withLastCopies(plan: readonly PlannedRestore[], traces: Traces): readonly PlannedRestore[] {
  const missing = plan.filter(({ then, step }) => isContent(then) && STAYS.has(step.kind));
  const unkept = missing.find(({ then, step }) => step.kind === 'unkept' && !isDisposable(then))?.path;
  const unknown = missing.find(isUnknown)?.path;
  const [lost = unkept] = traces.brought;
  const back = new Set(plan.filter(({ step }) => !STAYS.has(step.kind)).map(({ then }) => printOf(then)));
  const heldBy = ({ now, then }: PlannedRestore) => {
    const same = missing.find((each) => isSameFile(each.then, now) || isSameState(each.then, now));
    if (same || then.kind !== 'absent') return same?.path;
    return unknown ?? (traces.left.has(printOf(now)) ? lost : undefined);
  };
  const whyNot = (planned: PlannedRestore) => {
    const { path, now, step } = planned;
    if (step.kind !== 'restore' || !isContent(now) || back.has(printOf(now))) return undefined;
    if (traces.brought.has(path)) return say('it may be a file that was moved here from elsewhere');
    const held = heldBy(planned);
    return held && say('it may hold what {0} was, which cannot be put back', held);
  };
  return plan.map((planned) => {
    const why = whyNot(planned);
    return why ? { ...planned, step: { kind: 'conflict', why } } : planned;
  });
}

function isUnknown({ then, now, step }: PlannedRestore): boolean {
  const isLost = step.kind === 'unkept' && now.kind === 'absent' && hashOfKept(then) !== undefined;
  return isLost || isUnseen(now);
}

const STAYS: ReadonlySet<PlannedRestore['step']['kind']> = new Set(['conflict', 'unkept', 'occupied']);

/** Tells contents, and links, from others. */
function printOf(state: FileState): string {
  return state.kind === 'link' ? `to ${state.target}` : state.kind === 'file' ? state.hash : '';
}

function isDisposable(state: FileState): boolean {
  return state.kind === 'file' && state.disposable === true;
}
