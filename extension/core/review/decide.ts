// Accepting and rejecting: what it makes of the files and of the log.
import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { ABSENT_STATE, isAlike, isSameFile, isSameState, keepState } from '../files/file-states.ts';
import { firstLines } from '../files/first-few.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import {
  acceptedLines,
  baseBytes,
  type FileReview,
  type Outcome,
  pendingIds,
  type Rejected,
  withoutLines,
} from './file-review.ts';
import { type DecisionPorts, takeBack } from './take-back.ts';
import { rejectionNotice, tellRejection } from './tell-rejection.ts';

/** Of `ids` in the file as it is reviewed, or of all of it. Rejects with what is to be told where that cannot be. */
export async function acceptChanges(ports: DecisionPorts, { review, ids }: Rejected): Promise<void> {
  const { path, from } = review;
  const now = await requireUnchanged(ports, review, ids);
  const outcome = ids && acceptedLines(review, ids);
  const base = outcome ? await keepOutcome(ports.blobs, outcome, now) : now;
  // With all its lines a file is accepted, but for where it has been moved to.
  const lines = ids && (from !== undefined || !isSameState(base, now)) ? { lines: [...ids] } : undefined;
  const gone = { base: ABSENT_STATE, now: ABSENT_STATE };
  const isMoveAccepted = from !== undefined && !ids;
  await ports.record(
    { type: 'reviewed', path, base, now, ...lines },
    ...(isMoveAccepted ? [{ type: 'reviewed' as const, path: from, ...gone }] : []),
  );
}

/** The same for several files. What could not be written is told behind the rest. */
export async function rejectChanges(ports: DecisionPorts, rejected: readonly Rejected[]): Promise<void> {
  const done: Rejected[] = [];
  const problems: string[] = [];
  for (const each of rejected.toSorted(inOrder)) {
    await rejectOne(ports, each).then(
      () => done.push(each),
      (error: Error) => problems.push(error.message),
    );
  }
  const paths = done.map(({ review }) => review.path);
  if (done.length > 0) await ports.record(rejectionNotice(paths, tellRejection(done)));
  if (problems.length > 0) throw new Error(firstLines(problems).join('\n'));
}

/** Inwards; a directory that is to go comes behind what is in it. */
function inOrder({ review: one }: Rejected, { review: other }: Rejected): number {
  const [isGoing, isOtherGoing] = [one, other].map(({ now }) => now.state.kind === 'directory');
  if (isGoing !== isOtherGoing) return isGoing ? 1 : -1;
  return one.path < other.path === isGoing ? 1 : -1;
}

async function rejectOne(
  ports: DecisionPorts,
  { review, ids, made = [], gone = [], mayBeLast }: Rejected,
): Promise<void> {
  const { path, from } = review;
  const now = await requireUnchanged(ports, review, ids);
  const outcome = ids ? withoutLines(review, ids) : await baseOutcome(ports, review);
  if (mayBeLast && outcome.state.kind === 'absent')
    throw new Error(
      say(
        '{0} may be all that is left of a file that a command has taken away. Delete it yourself if you do not want it.',
        path,
      ),
    );
  await takeBack(ports, { path, now, to: (ids ? undefined : from) ?? path, outcome, ids, made, gone });
}

/** What is there, its bytes kept. */
async function requireUnchanged(
  ports: DecisionPorts,
  review: FileReview,
  ids: ReadonlySet<string> | undefined,
): Promise<FileState> {
  const now = (await keepState(ports, review.path)) ?? ABSENT_STATE;
  const pending = pendingIds(review);
  const areThere = ids ? [...ids].every((id) => pending.has(id)) : review.isPending;
  if (isAlike(now, review.now.state) && areThere) return now;
  throw new Error(say('{0} has changed since. Nothing was decided: look at it again.', review.path));
}

async function baseOutcome({ blobs }: DecisionPorts, review: FileReview): Promise<Outcome> {
  const { path, base, isMixed } = review;
  if (isMixed)
    throw new Error(
      say(
        '{0} was changed by you since, and whose is what cannot be told. Undo by hand what you do not want.',
        path,
      ),
    );
  const { state } = base;
  if (state.kind !== 'file') return { state };
  const bytes = baseBytes(review) ?? (await blobs.get(state.hash).catch(() => undefined));
  if (bytes) return { state, bytes };
  if (isSameFile(state, review.now.state)) return { state };
  throw new Error(say('What was in {0} before was not kept, so it cannot be rejected.', path));
}

async function keepOutcome(blobs: BlobStore, { state, bytes }: Outcome, like: FileState): Promise<FileState> {
  if (state.kind !== 'file' || !bytes) return ABSENT_STATE;
  const hash = await blobs.put(bytes, like.kind === 'file' ? like.hash : undefined);
  return { kind: 'file', hash, size: bytes.length, mode: state.mode };
}
