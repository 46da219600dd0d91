// Accepts and rejects pending changes: updates the files and the log.
import type { FileState } from '../../protocol/events.ts';
import { firstLines } from '../base/text/truncate.ts';
import { ABSENT_STATE, isAlike, isSameState } from '../checkpoints/file-state.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { applyRejection, type DecisionPorts, isReached } from './apply-rejection.ts';
import { readCurrentFile } from './current-file.ts';
import { acceptedLines, type Outcome, type Rejected } from './file-review.ts';
import { hasChanged, type PlannedRejection, planRejections, requireUnchanged } from './plan-rejection.ts';
import { describeRejection, rejectionNotice } from './rejection-notice.ts';

/** Accepts the lines `ids`, or all. Rejects with a message for the user if the file is not as reviewed. */
export async function acceptChanges(ports: DecisionPorts, rejected: Rejected): Promise<void> {
  const { review, ids } = rejected;
  const { path, from } = review;
  const now = await requireUnchanged(ports, rejected);
  const outcome = ids && acceptedLines(review, ids);
  const base = outcome ? await keepOutcome(ports.blobs, outcome, now) : now;
  // If no line stays pending, the event accepts the whole file; a pending move must stay pending.
  const lines = ids && (from !== undefined || !isSameState(base, now)) ? { lines: [...ids] } : undefined;
  const gone = { base: ABSENT_STATE, now: ABSENT_STATE };
  const isMoveAccepted = from !== undefined && !ids;
  await ports.record(
    { type: 'reviewed', path, base, now, ...lines },
    ...(isMoveAccepted ? [{ type: 'reviewed' as const, path: from, ...gone }] : []),
  );
}

/** Rejects the changes of several files, then throws one error for those that failed. */
export async function rejectChanges(ports: DecisionPorts, rejected: readonly Rejected[]): Promise<void> {
  const { planned, refused } = await planRejections(ports, rejected);
  const done: Rejected[] = [];
  for (const each of planned)
    await rejectOne(ports, each).then(
      () => done.push(each.rejected),
      (error: Error) => refused.set(each.rejected, error),
    );
  const paths = done.map(({ review }) => review.path);
  if (done.length > 0) await ports.record(rejectionNotice(paths, describeRejection(done)));
  if (refused.size > 0)
    throw new Error(firstLines([...refused.values()].map(({ message }) => message)).join('\n'));
}

/** Never overwrites a change made since the plan. If that change is the planned outcome, it is no error. */
async function rejectOne(
  ports: DecisionPorts,
  { rejected, now, to, outcome }: PlannedRejection,
): Promise<void> {
  const { review, ids, made = [], gone = [] } = rejected;
  const { path } = review;
  const { state } = await readCurrentFile(ports.files, path);
  // An earlier rejection may have removed the directory together with its last file.
  const isThere = isAlike(state, now) || (now.kind === 'directory' && state.kind === 'absent');
  if (isThere) await applyRejection(ports, { path, now: state, to, outcome, ids, made, gone });
  else if (to !== path || !isReached(outcome, state)) throw hasChanged(path);
}

async function keepOutcome(blobs: BlobStore, { state, bytes }: Outcome, like: FileState): Promise<FileState> {
  if (state.kind !== 'file' || !bytes) return ABSENT_STATE;
  const hash = await blobs.put(bytes, like.kind === 'file' ? like.hash : undefined);
  return { kind: 'file', hash, size: bytes.length, mode: state.mode };
}
