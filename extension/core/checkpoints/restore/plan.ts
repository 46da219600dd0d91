// What has to be done so that files are again as they were when an event had happened, without losing what the user has
// done to them since. Nothing is changed here.
import type { FileState } from '../../../protocol/events.ts';
import { say } from '../../../protocol/say.ts';
import { type Changed, type FileHistory, isThereAndBack, type PathChange } from '../file-history.ts';
import { isSameState } from '../file-state.ts';
import { planPath } from './plan-path.ts';
import { reconcilePlan } from './reconcile-plan.ts';
import type { PlannedRestore, RestorePorts } from './types.ts';

/**
 * Of every path that the session has changed behind event `seq`, in the order of the paths. What calls have left as they
 * had found it (a branch checked out there and back) is the user's since, whatever they have made of it.
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

/** Why what was done to a path is not taken back unasked, as the end of a sentence. */
function whyAsked(changes: readonly PathChange[], history: FileHistory): string | undefined {
  if (changes.some(({ shared }) => shared))
    return say('a command of another session, which ran at the same time, may have changed it');
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

/** The plan in which a file that is not kept comes back where a path gives it up: it is kept before anything is done. */
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

/** Undefined where nobody has read it. */
function hashOf(state: FileState): string | undefined {
  return state.kind === 'file' && state.hash !== '' ? state.hash : undefined;
}
