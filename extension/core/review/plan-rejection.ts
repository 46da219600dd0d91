// Plans the rejection of several files and finds what is impossible, before any file changes.
import { join } from 'node:path';
import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { isInside } from '../base/paths.ts';
import { ABSENT_STATE, hasSameBytes, isAlike, keepState } from '../checkpoints/file-state.ts';
import type { FileTree } from '../ports/file-tree.ts';
import type { DecisionPorts } from './apply-rejection.ts';
import {
  baseBytes,
  type FileReview,
  type Outcome,
  pendingIds,
  type Rejected,
  withoutLines,
} from './file-review.ts';

/** A file to reject, with its outcome. */
export interface PlannedRejection {
  readonly rejected: Rejected;
  readonly now: FileState;
  /** The path that gets `outcome`. */
  readonly to: string;
  readonly outcome: Outcome;
}

/** Files that are not rejected, each with a message for the user, in the order of discovery. */
type Refused = Map<Rejected, Error>;

export interface RejectionPlan {
  /** In an order that restores files before it removes any, and in which no step blocks the next. */
  readonly planned: readonly PlannedRejection[];
  /** The files that cannot be rejected. */
  readonly refused: Refused;
}

/** Stores all current files first: the old content of one may be at the path of another. */
export async function planRejections(
  ports: DecisionPorts,
  rejected: readonly Rejected[],
): Promise<RejectionPlan> {
  const refused: Refused = new Map();
  const kept = new Map<Rejected, FileState>();
  const attempt = async (each: Rejected, act: () => Promise<unknown>) => {
    await ports.clock.yield();
    await act().catch((error: Error) => refused.set(each, error));
  };
  for (const each of rejected)
    await attempt(each, async () => kept.set(each, await requireUnchanged(ports, each)));
  const planned: PlannedRejection[] = [];
  for (const [each, now] of kept)
    await attempt(each, async () => planned.push(await planOne(ports, each, now)));
  let count: number;
  do {
    count = refused.size;
    for (const each of planned.filter((one) => !refused.has(one.rejected)))
      await attempt(each.rejected, () => requirePossible(each, planned, refused, ports.files));
  } while (refused.size > count);
  return { planned: planned.filter((each) => !refused.has(each.rejected)).sort(inOrder), refused };
}

/** Stores the current content and returns its state. Rejects if it is not what the user reviewed. */
export async function requireUnchanged(
  ports: Pick<DecisionPorts, 'files' | 'blobs'>,
  { review, ids }: Rejected,
): Promise<FileState> {
  const now = (await keepState(ports, review.path)) ?? ABSENT_STATE;
  const pending = pendingIds(review);
  const areThere = ids ? [...ids].every((id) => pending.has(id)) : review.isPending;
  if (isAlike(now, review.now.state) && areThere) return now;
  throw hasChanged(review.path);
}

export function hasChanged(path: string): Error {
  return new Error(
    say('{0} has changed in the meantime. Nothing was accepted or rejected. Review it again.', path),
  );
}

async function planOne(ports: DecisionPorts, rejected: Rejected, now: FileState): Promise<PlannedRejection> {
  const { review, ids } = rejected;
  const outcome = ids ? withoutLines(review, ids) : await baseOutcome(ports, review);
  requireKept(review.path, now, outcome);
  return { rejected, now, to: (ids ? undefined : review.from) ?? review.path, outcome };
}

/** Throws if the rejection would remove bytes that are not stored. */
function requireKept(path: string, now: FileState, { state, bytes }: Outcome): void {
  const isRemoved = state.kind !== 'file' || bytes !== undefined;
  if (now.kind === 'file' && now.hash === '' && isRemoved)
    throw new Error(say('{0} was not rejected: {1.}.', path, say('it is too large to store')));
}

async function baseOutcome({ blobs }: DecisionPorts, review: FileReview): Promise<Outcome> {
  const { path, base, isMixed } = review;
  if (isMixed)
    throw new Error(
      say(
        'You have also changed {0}, and Harness cannot separate your changes. Undo unwanted changes by hand.',
        path,
      ),
    );
  const { state } = base;
  if (state.kind !== 'file') return { state };
  const bytes = baseBytes(review) ?? (await blobs.get(state.hash).catch(() => undefined));
  if (bytes) return { state, bytes };
  if (hasSameBytes(state, review.now.state)) return { state };
  throw new Error(say('Could not reject {0}: its previous contents were not stored.', path));
}

async function requirePossible(
  planned: PlannedRejection,
  all: readonly PlannedRejection[],
  refused: Refused,
  files: FileTree,
): Promise<void> {
  if (!isDirectoryGoing(planned)) return;
  const { path } = planned.rejected.review;
  const others = all.filter((each) => each !== planned && !refused.has(each.rejected));
  const leaving = new Set(others.filter(isLeaving).map(({ rejected }) => rejected.review.path));
  const isOccupied = others.some(({ to, outcome }) => isInside(path, to) && outcome.state.kind !== 'absent');
  if (isOccupied || (await holdsOther(files, path, leaving)))
    throw new Error(say('Could not write {0}: {1.}.', path, say('it contains something that stays')));
}

/** Whether the directory contains anything but `paths` and directories, at any depth. */
async function holdsOther(files: FileTree, directory: string, paths: ReadonlySet<string>): Promise<boolean> {
  for (const name of await files.names(directory)) {
    const path = join(directory, name);
    const isDirectory = (await files.look(path)).kind === 'directory';
    if (isDirectory ? await holdsOther(files, path, paths) : !paths.has(path)) return true;
  }
  return false;
}

function isLeaving({ rejected: { review }, to, outcome }: PlannedRejection): boolean {
  return to !== review.path || outcome.state.kind === 'absent';
}

function isDirectoryGoing({ now, outcome }: PlannedRejection): boolean {
  return now.kind === 'directory' && outcome.state.kind !== 'directory';
}

/** Outer paths first; directories to remove come last, inner ones first. */
function inOrder(one: PlannedRejection, other: PlannedRejection): number {
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  if (rank !== otherRank) return rank - otherRank;
  return one.rejected.review.path < other.rejected.review.path === (rank === 4) ? 1 : -1;
}

/** Moves come after writes: a language server then finds nothing to update in the written files. */
function rankOf(planned: PlannedRejection): number {
  const { now, to, outcome, rejected } = planned;
  if (isDirectoryGoing(planned)) return 4;
  if (outcome.state.kind === 'absent') return 3;
  if (to !== rejected.review.path) return 2;
  return now.kind === 'file' && outcome.state.kind !== 'directory' ? 1 : 0;
}
