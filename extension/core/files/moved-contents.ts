import type { FileState } from '../../protocol/events.ts';
import type { PlannedRestore } from './plan-restore.ts';

/** The plan in which a file that is not kept comes back where a path gives it up: it is kept before anything is done. */
export function withMoved(plan: readonly PlannedRestore[]): readonly PlannedRestore[] {
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
