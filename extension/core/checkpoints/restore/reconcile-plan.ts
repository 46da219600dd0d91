// Whether what is planned for each path alone can be done beside what is planned for the others.
import { dirname } from 'node:path';
import { say } from '../../../protocol/say.ts';
import type { Beyond, FileTree } from '../../ports/file-tree.ts';
import { describeBlockedPath, leadsElsewhere } from '../current-state.ts';
import type { Changed } from '../file-history.ts';
import { isContent } from '../file-state.ts';
import { leavesAsIs } from './kept-paths.ts';
import { LostLines } from './lost-lines.ts';
import { movedInPaths, preserveLastCopies } from './preserve-copies.ts';
import type { Choices, PlannedRestore, RestorePorts } from './types.ts';

/** The same plan, in the order of its paths, where what cannot be done stays as it is. */
export async function reconcilePlan(
  plan: readonly PlannedRestore[],
  changed: Changed,
  ports: RestorePorts,
): Promise<readonly PlannedRestore[]> {
  const fitting = await withOccupied(withBeyond(plan), ports.files);
  const safe = await withAllThatStays(fitting, changed, ports.files, new LostLines(fitting, changed, ports));
  if (movedInPaths(changed).size > 0) return safe;
  return safe.map((planned, index) => {
    const { step } = fitting[index] ?? planned;
    return leavesAsIs(planned.step) && !leavesAsIs(step) ? { ...planned, otherwise: step } : planned;
  });
}

/**
 * The same plan where the user has made these choices: what stays only beside others, and is not to stay, is taken back where
 * none of them stays.
 */
export function withChoices(plan: readonly PlannedRestore[], choices: Choices): readonly PlannedRestore[] {
  const mine = plan.filter(({ path, otherwise }) => otherwise && choices.get(path) === 'mine');
  const kept = withFolders(mine.map(({ path }) => path));
  const isLeft = ({ path, then, step, otherwise }: PlannedRestore) => {
    const isRestored = otherwise
      ? !kept.has(path)
      : step.kind === 'conflict' && choices.get(path) === 'restore';
    return isContent(then) && leavesAsIs(step) && !isRestored;
  };
  if (plan.some(isLeft)) return plan;
  return plan.map(({ otherwise, ...planned }) => {
    if (!otherwise) return planned;
    if (choices.get(planned.path) === 'mine')
      return { ...planned, step: { kind: 'conflict', why: say('you keep your version') } };
    return kept.has(planned.path) ? planned : { ...planned, step: otherwise };
  });
}

/** The paths, and all folders above them. */
function withFolders(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  for (const path of all) all.add(dirname(path));
  return all;
}

async function withAllThatStays(
  plan: readonly PlannedRestore[],
  changed: Changed,
  files: FileTree,
  lines: LostLines,
): Promise<readonly PlannedRestore[]> {
  const safe = await preserveLastCopies(plan, changed, lines);
  if (countStaying(safe) === countStaying(plan)) return plan;
  // What stays keeps the directories that it is in, and what it was is nowhere either.
  return withAllThatStays(await withOccupied(withBeyond(safe), files), changed, files, lines);
}

function countStaying(plan: readonly PlannedRestore[]): number {
  return plan.filter(({ step }) => leavesAsIs(step)).length;
}

/** Nothing is put below a file or a link that stays, and nothing is said of what lies where such a link leads. */
function withBeyond(plan: readonly PlannedRestore[]): readonly PlannedRestore[] {
  const byPath = new Map(plan.map((planned) => [planned.path, planned]));
  return plan.map((planned) => {
    const { beyond = fileAbove(planned, byPath) } = planned;
    if (!beyond || isReached(planned, beyond, byPath.get(beyond.at))) return planned;
    return { ...planned, step: { kind: 'conflict', why: describeBlockedPath(beyond) } };
  });
}

/** What becomes a file or a link, and has no room for what the user had made below it. */
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
