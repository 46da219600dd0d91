// A file that is to be rejected, and what that means for others.
import type { FileState } from '../../protocol/events.ts';
import { versionOf } from '../base/content-hash.ts';
import { isContent } from '../checkpoints/file-state.ts';
import type { Outcome, Rejected } from './file-review.ts';

export interface PlannedRejection {
  readonly rejected: Rejected;
  readonly now: FileState;
  /** The path where it is to be `outcome`. */
  readonly to: string;
  readonly outcome: Outcome;
}

/** What the file holds now lies nowhere then. */
export function isGivenUp({ now, outcome: { state, bytes } }: PlannedRejection): boolean {
  if (!isContent(now)) return false;
  return state.kind !== 'file' || (bytes !== undefined && versionOf(bytes) !== hashOf(now));
}

/** Nobody has seen by its lines what goes. */
export function isWhole({ rejected: { review }, outcome }: PlannedRejection): boolean {
  return outcome.state.kind === 'absent' || !review.cells;
}

function hashOf(state: FileState): string | undefined {
  return state.kind === 'file' ? state.hash : undefined;
}

export function isLeaving({ rejected: { review }, to, outcome }: PlannedRejection): boolean {
  return to !== review.path || outcome.state.kind === 'absent';
}

export function isDirectoryGoing({ now, outcome }: PlannedRejection): boolean {
  return now.kind === 'directory' && outcome.state.kind !== 'directory';
}

/** Inwards; directories that are to go come last, outwards. */
export function inOrder(one: PlannedRejection, other: PlannedRejection): number {
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  if (rank !== otherRank) return rank - otherRank;
  return one.rejected.review.path < other.rejected.review.path === (rank === 4) ? 1 : -1;
}

/** What is moved back comes behind what is written: then a language server finds nothing to mend in that. */
function rankOf(planned: PlannedRejection): number {
  const { now, to, outcome, rejected } = planned;
  if (isDirectoryGoing(planned)) return 4;
  if (outcome.state.kind === 'absent') return 3;
  if (to !== rejected.review.path) return 2;
  return now.kind === 'file' && outcome.state.kind !== 'directory' ? 1 : 0;
}
