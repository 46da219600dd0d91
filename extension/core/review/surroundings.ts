// What a session knows of files that are rejected, beside what is pending of them.
import { dirname } from 'node:path';
import type { FileState } from '../../protocol/events.ts';
import { isContent } from '../files/file-states.ts';
import type { GoneDirectory, Rejected } from './file-review.ts';
import type { ChangedStep, PathSteps, Step } from './path-steps.ts';

export type Surroundings = Required<Omit<Rejected, 'review' | 'ids'>>;

/** Calls of the agent that have taken away what no rejection brings back, and that is not accepted. */
export interface Losses {
  /** The events of their changes. */
  readonly events: ReadonlySet<number>;
  /** The last one in which that was something whose bytes nobody knows. */
  readonly lastUnknown: number;
}

/** `from`: where the file was that is at `path` now. */
export function surroundingsOf(
  steps: PathSteps,
  { path, from = path }: { readonly path: string; readonly from: string | undefined },
  losses: Losses,
): Surroundings {
  return {
    made: madeAbove(steps, path),
    gone: goneAbove(steps, from),
    calls: callsOf(steps, path),
    mayBeLast: steps.of(path).some((step) => step.kind === 'changed' && mayHold(step, losses)),
  };
}

/** The events in which calls of the agent have changed it. */
export function callsOf(steps: PathSteps, path: string): number[] {
  return steps.of(path).flatMap((step) => (step.kind === 'changed' && step.by === 'tool' ? [step.seq] : []));
}

/** `isOvertaken`: the user has put something in the place of a file that could have come back. Asked where one of `calls` has taken it. */
export async function lossesIn(
  steps: PathSteps,
  calls: ReadonlySet<number>,
  isOvertaken: (path: string) => Promise<boolean>,
): Promise<Losses> {
  const events = new Set<number>();
  let lastUnknown = 0;
  for (const [path, each] of steps.all) {
    const accepted = each.findLast(isAccepted)?.seq ?? 0;
    const open = each.filter(isOfCall).filter(({ seq }) => seq > accepted);
    const unknown = open.filter(({ before }) => isUnknown(before));
    lastUnknown = Math.max(lastUnknown, unknown.at(-1)?.seq ?? 0);
    const taken = open.filter((step) => isTaken(step) && calls.has(step.seq));
    const lost = taken.length > 0 && (await isOvertaken(path)) ? [...unknown, ...taken] : unknown;
    for (const { seq } of lost) events.add(seq);
  }
  return { events, lastUnknown };
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
function mayHold({ seq, before, after, isByCommand }: ChangedStep, { events, lastUnknown }: Losses): boolean {
  if (after.kind !== 'absent' && after.brought) return true;
  const isOlder = isByCommand && before.kind === 'absent' && seq < lastUnknown;
  return after.kind === 'file' && (events.has(seq) || isOlder);
}

function isOfCall(step: Step): step is ChangedStep {
  return step.kind === 'changed' && step.by === 'tool';
}

/** What has become of it: who accepts that it is gone may count on what was made of it. */
function isAccepted(step: Step): boolean {
  return step.kind === 'reviewed' && !step.lines && isContent(step.now);
}

function isTaken({ before, after, to }: ChangedStep): boolean {
  return isContent(before) && !isContent(after) && to === undefined;
}

/** Nobody knows its bytes, and it cannot be made again. */
function isUnknown(before: FileState): boolean {
  return before.kind === 'file' && before.hash === '' && !before.disposable;
}
