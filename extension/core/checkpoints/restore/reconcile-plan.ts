// Checks whether the steps that were planned for each path alone can be done together.
import { dirname } from 'node:path';
import type { Beyond, FileTree } from '../../ports/file-tree.ts';
import { describeBlockedPath, leadsElsewhere } from '../current-state.ts';
import { isContent } from '../file-state.ts';
import type { PlannedRestore } from './types.ts';

/** The same plan, in the same order. A path whose step cannot be done stays as it is. */
export function reconcilePlan(
  plan: readonly PlannedRestore[],
  files: FileTree,
): Promise<readonly PlannedRestore[]> {
  return withOccupied(withBeyond(plan), files);
}

/**
 * Plans nothing below a file or a link that stays, and states nothing about files that such a link leads to.
 */
function withBeyond(plan: readonly PlannedRestore[]): readonly PlannedRestore[] {
  const byPath = new Map(plan.map((planned) => [planned.path, planned]));
  return plan.map((planned) => {
    const { beyond = fileAbove(planned, byPath) } = planned;
    if (!beyond || isReached(planned, beyond, byPath.get(beyond.at))) return planned;
    return { ...planned, step: { kind: 'conflict', why: describeBlockedPath(beyond) } };
  });
}

/**
 * The path above that this restore makes a file or a link, which leaves no room for a merged file below it.
 */
function fileAbove(
  { path, step }: PlannedRestore,
  byPath: ReadonlyMap<string, PlannedRestore>,
): Beyond | undefined {
  if (step.kind !== 'merge') return undefined;
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const above = byPath.get(at);
    if (above?.step.kind === 'restore' && isContent(above.then)) return { at };
  }
  return undefined;
}

/**
 * Whether the step can be done; for `identical`, whether it holds. `above` is the plan for the path that is
 * in the way.
 */
function isReached({ then, step }: PlannedRestore, beyond: Beyond, above?: PlannedRestore): boolean {
  const isPut = step.kind === 'merge' || (step.kind === 'restore' && then.kind !== 'absent');
  if (isPut) return above !== undefined && givesWay(above);
  if (step.kind !== 'identical' || above?.step.kind === 'restore') return true;
  return !leadsElsewhere(beyond, above?.then, above?.now);
}

function givesWay({ step, then }: PlannedRestore): boolean {
  return step.kind === 'restore' && (then.kind === 'directory' || then.kind === 'absent');
}

/** Makes a directory that is to go `occupied`, unless the restore removes everything in it. */
async function withOccupied(
  plan: readonly PlannedRestore[],
  files: FileTree,
): Promise<readonly PlannedRestore[]> {
  const leaving = new Map<string, number>();
  const count = ({ path, then }: PlannedRestore, by: number) => {
    if (then.kind === 'absent') leaving.set(dirname(path), (leaving.get(dirname(path)) ?? 0) + by);
  };
  for (const planned of plan)
    if (planned.step.kind === 'restore' && planned.now.kind !== 'absent') count(planned, 1);
  const occupied = new Set<string>();
  // Innermost first, because a directory that stays also keeps the directories around it.
  for (const planned of plan.filter(isEmptied).reverse()) {
    const { path } = planned;
    const names = await files.names(path).catch(() => undefined);
    if (names && names.length <= (leaving.get(path) ?? 0)) continue;
    occupied.add(path);
    count(planned, -1);
  }
  return plan.map((planned) =>
    occupied.has(planned.path) ? { ...planned, step: { kind: 'occupied' } } : planned,
  );
}

function isEmptied({ now, then, step }: PlannedRestore): boolean {
  return step.kind === 'restore' && now.kind === 'directory' && then.kind !== 'directory';
}
