// What a session knows of files that are rejected, beside what is pending of them.
import { dirname } from 'node:path';
import type { FileState } from '../../protocol/events.ts';
import { isContent, isDisposable } from '../checkpoints/file-state.ts';
import { LineHolder, type LineSet } from '../checkpoints/line-sets.ts';
import type { CurrentFile, ReadCurrentFile } from './current-file.ts';
import type { GoneDirectory, Rejected } from './file-review.ts';
import type { ChangedStep, PathSteps, Step } from './path-steps.ts';

export type RejectionContext = Required<Omit<Rejected, 'review' | 'ids'>>;

/** What calls of the agent have taken away, no rejection brings back, and is not accepted. By the events of their changes. */
export interface Losses {
  /** Those in which bytes were lost that are not kept. */
  readonly unkept: ReadonlySet<number>;
  /** Those that have taken files which are kept, and in whose place the user has put others: the lines that are in neither. */
  readonly overtaken: ReadonlyMap<number, LineSet>;
}

/** What is asked of files. */
export interface Contents {
  readonly look: ReadCurrentFile;
  /** What the user has put in the place of a file that could have come back; undefined where they have not. */
  overtaking(path: string): Promise<CurrentFile | undefined>;
  isKept(state: FileState): Promise<boolean>;
  /** Undefined where they cannot be told apart. */
  linesOf(content: CurrentFile): Promise<LineSet | undefined>;
}

/** `from`: where the file was that is at `path` now. */
export async function rejectionContextOf(
  steps: PathSteps,
  { path, from = path }: { readonly path: string; readonly from: string | undefined },
  losses: Losses,
  contents: Contents,
): Promise<RejectionContext> {
  const changes = steps.of(path).filter((step) => step.kind === 'changed');
  return {
    made: madeAbove(steps, path),
    gone: goneAbove(steps, from),
    calls: agentCallsOn(steps, path),
    mayBeLast:
      changes.some((step) => mayHoldUnkept(step, losses)) ||
      (await mayHoldOvertaken(path, changes, losses, contents)),
  };
}

/** The events in which calls of the agent have changed it. */
export function agentCallsOn(steps: PathSteps, path: string): number[] {
  return steps.of(path).flatMap((step) => (step.kind === 'changed' && step.by === 'tool' ? [step.seq] : []));
}

/** Files that are kept count where a call has taken them that has changed one of `paths`. */
export async function lossesIn(
  steps: PathSteps,
  paths: readonly string[],
  contents: Contents,
): Promise<Losses> {
  const calls = new Set(paths.flatMap((path) => agentCallsOn(steps, path)));
  const losses = { unkept: new Set<number>(), overtaken: new Map<number, Set<string>>() };
  for (const [path, each] of steps.all) {
    const accepted = each.findLast(isAccepted)?.seq ?? 0;
    const open = each.filter(isOfCall).filter(({ seq }) => seq > accepted);
    for (const { seq, before } of open) if (isUnknown(before)) losses.unkept.add(seq);
    const taken = open.filter((step) => isTaken(step) && calls.has(step.seq));
    const present = taken.length > 0 ? await contents.overtaking(path) : undefined;
    if (present) for (const step of taken) await addOvertaken(losses, step, present, contents);
  }
  return losses;
}

async function addOvertaken(
  losses: { readonly unkept: Set<number>; readonly overtaken: Map<number, Set<string>> },
  { seq, before }: ChangedStep,
  present: CurrentFile,
  contents: Contents,
): Promise<void> {
  const then = await contents.linesOf({ state: before });
  if (!then && !(await contents.isKept(before))) losses.unkept.add(seq);
  const lines = losses.overtaken.get(seq) ?? new Set();
  losses.overtaken.set(seq, lines);
  const now = await contents.linesOf(present);
  for (const line of then ?? []) if (!now?.has(line)) lines.add(line);
}

/** Directories above the file that the session has made, the nearest one first. */
function madeAbove(steps: PathSteps, path: string): string[] {
  const made: string[] = [];
  for (let parent = dirname(path); isMade(steps, parent); parent = dirname(parent)) made.push(parent);
  return made;
}

function isMade(steps: PathSteps, path: string): boolean {
  const [first] = steps.of(path);
  return first?.kind === 'changed' && first.before.kind === 'absent';
}

/** Directories above the place where the file was that the session found and that it has taken away, the outermost first. */
function goneAbove(steps: PathSteps, path: string): GoneDirectory[] {
  const gone: GoneDirectory[] = [];
  for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent)) {
    const [first] = steps.of(parent);
    if (first?.kind === 'changed' && first.before.kind === 'directory')
      gone.unshift({ path: parent, mode: first.before.mode });
  }
  return gone;
}

/** It may have come from elsewhere; or be of what the same call has taken away, or of what a later one has before anybody had read it. */
function mayHoldUnkept({ seq, before, after, isByCommand }: ChangedStep, { unkept }: Losses): boolean {
  if (after.kind !== 'absent' && after.brought) return true;
  const isOlder = isByCommand && before.kind === 'absent' && [...unkept].some((lost) => seq < lost);
  return after.kind === 'file' && (unkept.has(seq) || isOlder);
}

/** A call has made it that has taken such files: of these it has lines, or it is no text. */
async function mayHoldOvertaken(
  path: string,
  changes: readonly ChangedStep[],
  { overtaken }: Losses,
  contents: Contents,
): Promise<boolean> {
  const lost = changes
    .filter(isMaking)
    .map(({ seq }) => overtaken.get(seq))
    .filter((lines) => lines !== undefined);
  if (lost.length === 0) return false;
  const lines = await contents.linesOf(await contents.look(path));
  if (!lines) return true;
  const holder = new LineHolder(path, lines.size);
  return [...lines].some((line) => lost.some((each) => each.has(line)) && holder.holds(line));
}

function isOfCall(step: Step): step is ChangedStep {
  return step.kind === 'changed' && step.by === 'tool';
}

/** What has become of it: who accepts that it is gone may count on what was made of it. */
function isAccepted(step: Step): boolean {
  return step.kind === 'reviewed' && !step.lines && isContent(step.now);
}

function isMaking({ before, after }: ChangedStep): boolean {
  return before.kind === 'absent' && after.kind === 'file';
}

function isTaken({ before, after, to }: ChangedStep): boolean {
  return isContent(before) && !isContent(after) && to === undefined && !isDisposable(before);
}

/** Nobody knows its bytes, and it cannot be made again. */
function isUnknown(before: FileState): boolean {
  return before.kind === 'file' && before.hash === '' && !isDisposable(before);
}
