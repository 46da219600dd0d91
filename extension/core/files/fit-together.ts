// Whether what is planned for each path alone can be done beside what is planned for the others.
import { dirname } from 'node:path';
import type { Beyond, FileTree } from '../ports/file-tree.ts';
import { type Traces, withLastCopies } from './last-copies.ts';
import { leadsElsewhere } from './look-at.ts';
import type { PlannedRestore } from './plan-restore.ts';
import { tellBeyond } from './tell-beyond.ts';

/** The same plan, in the order of its paths, where what cannot be done stays as it is. */
export async function fitTogether(
  plan: readonly PlannedRestore[],
  traces: Traces,
  files: FileTree,
): Promise<readonly PlannedRestore[]> {
  const fitting = await withOccupied(withBeyond(plan), files);
  // What stays now keeps the directories that it is in.
  return withOccupied(withLastCopies(fitting, traces), files);
}

/** Nothing is put below a file or a link that stays, and nothing is said of what lies where such a link leads. */
function withBeyond(plan: readonly PlannedRestore[]): readonly PlannedRestore[] {
  const byPath = new Map(plan.map((planned) => [planned.path, planned]));
  return plan.map((planned) => {
    const { beyond } = planned;
    if (!beyond || isReached(planned, beyond, byPath.get(beyond.at))) return planned;
    return { ...planned, step: { kind: 'conflict', why: tellBeyond(beyond) } };
  });
}

/** `above` is what is planned for that which is in the way. */
function isReached({ then, step }: PlannedRestore, beyond: Beyond, above?: PlannedRestore): boolean {
  const isPut = step.kind === 'merge' || (step.kind === 'restore' && then.kind !== 'absent');
  if (isPut) return above !== undefined && givesWay(above);
  if (step.kind !== 'identical' || above?.step.kind === 'restore') return true;
  return !leadsElsewhere(beyond, above?.then, above?.now);
}

function givesWay({ step, then }: PlannedRestore): boolean {
  return step.kind === 'restore' && (then.kind === 'directory' || then.kind === 'absent');
}

/** A directory gives way only with nothing in it but what is taken away too. */
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
  // The innermost first: what stays in one keeps those around it too.
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
