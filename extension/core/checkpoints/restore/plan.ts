// Plans how files become what they were after an event, without losing the user's later edits. Changes
// nothing.
import type { FileState } from '../../../protocol/events.ts';
import { say } from '../../../protocol/say.ts';
import { type Changed, type FileHistory, isThereAndBack, type PathChange } from '../file-history.ts';
import { isSameState } from '../file-state.ts';
import { planPath } from './plan-path.ts';
import { reconcilePlan } from './reconcile-plan.ts';
import type { PlannedRestore, RestorePorts } from './types.ts';

/**
 * Plans every path that the session has changed after event `seq`, in the order of the paths. Leaves out a
 * path that calls left as they found it (a branch checked out there and back) and that differs now. The
 * difference is the user's.
 */
export async function planRestore(
  history: FileHistory,
  seq: number,
  ports: RestorePorts,
): Promise<readonly PlannedRestore[]> {
  const plan: PlannedRestore[] = [];
  const changed = history.changedSince(seq);
  for (const [path, changes] of [...changed].sort(byPath)) {
    const then = history.foundSince(path, seq);
    if (then) plan.push(await planPath({ path, then, changes, all: history.changesOf(path) }, ports));
  }
  const fitted = await reconcilePlan(withAsked(restoreFromMoved(plan), changed, history), ports.files);
  const isTheirs = ({ path, then, now }: PlannedRestore) =>
    isThereAndBack(changed.get(path) ?? []) && !isSameState(then, now);
  return fitted.filter((planned) => !isTheirs(planned));
}

/** Why Harness must ask the user before it undoes the changes of a path, as the end of a sentence. */
function whyAsked(changes: readonly PathChange[], history: FileHistory): string | undefined {
  if (changes.some(({ shared }) => shared))
    return say('another program that ran at the same time may have changed it');
  if (changes.every(({ by }) => by === 'restore') && changes.some(({ id }) => history.isRedone(id)))
    return say('it stayed as it was when you redid the rest');
  return undefined;
}

function withAsked(
  plan: readonly PlannedRestore[],
  changed: Changed,
  history: FileHistory,
): readonly PlannedRestore[] {
  return plan.map((planned) => {
    const { path, step } = planned;
    const why = whyAsked(changed.get(path) ?? [], history);
    const isDone = step.kind === 'restore' || step.kind === 'merge';
    return why && isDone ? { ...planned, step: { kind: 'conflict', why } } : planned;
  });
}

function byPath([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/**
 * Plans to restore a file whose bytes are not stored, if another path of the plan gives these bytes up.
 * `restoreFiles` stores that path's content before it changes anything. For example, a command moved `a` to
 * `b`: the bytes of `a` come from `b`.
 */
export function restoreFromMoved(plan: readonly PlannedRestore[]): readonly PlannedRestore[] {
  let giving = plan.filter(({ step }) => step.kind === 'restore' || (step.kind === 'unkept' && !step.why));
  for (let count = 0; count !== giving.length; ) {
    count = giving.length;
    const given = new Set(giving.map(({ now }) => hashOf(now)));
    given.delete(undefined);
    giving = giving.filter(({ step, then }) => step.kind === 'restore' || given.has(hashOf(then)));
  }
  const moved = new Set(giving);
  return plan.map((planned) => (moved.has(planned) ? { ...planned, step: { kind: 'restore' } } : planned));
}

/** Undefined where the bytes were never read. */
function hashOf(state: FileState): string | undefined {
  return state.kind === 'file' && state.hash !== '' ? state.hash : undefined;
}
