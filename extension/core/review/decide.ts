// Accepting and rejecting: what it makes of the files and of the log.
import { basename } from 'node:path';
import type { EventDraft, FileChange, FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { ABSENT_STATE, isSameState, keepState } from '../files/file-states.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { FileTree } from '../ports/file-tree.ts';
import { ABSENT, type Workspace } from '../ports/workspace.ts';
import { versionOf } from '../tools/version.ts';
import {
  acceptedLines,
  baseBytes,
  type FileReview,
  type Outcome,
  pendingIds,
  withoutLines,
} from './file-review.ts';
import { type Rejected, tellRejection } from './tell-rejection.ts';

export interface DecisionPorts {
  readonly files: FileTree;
  readonly workspace: Pick<Workspace, 'apply'>;
  readonly blobs: BlobStore;
  /** Writes into the session's log. */
  record(...drafts: readonly EventDraft[]): Promise<void>;
  /** Another one each time. */
  newId(): string;
}

/** Of `ids` in the file as it is reviewed, or of all of it. Rejects with what is to be told where that cannot be. */
export async function acceptChanges(ports: DecisionPorts, { review, ids }: Rejected): Promise<void> {
  const now = await requireUnchanged(ports, review, ids);
  const outcome = ids && acceptedLines(review, ids);
  const base = outcome ? await keepOutcome(ports.blobs, outcome, now) : now;
  const lines = isSameState(base, now) || !ids ? undefined : [...ids];
  await ports.record({ type: 'reviewed', path: review.path, base, now, ...(lines && { lines }) });
}

/** The same for several files. What could not be written is told behind the rest. */
export async function rejectChanges(ports: DecisionPorts, rejected: readonly Rejected[]): Promise<void> {
  const done: Rejected[] = [];
  const problems: string[] = [];
  for (const each of rejected) {
    await rejectOne(ports, each).then(
      () => done.push(each),
      (error: Error) => problems.push(error.message),
    );
  }
  const names = done.map(({ review }) => basename(review.path)).join(', ');
  if (done.length > 0)
    await ports.record({
      type: 'notice',
      message: say('Rejected in the review: {0}. The model is told at its next turn.', names),
      toModel: tellRejection(done),
    });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function rejectOne(ports: DecisionPorts, { review, ids, made = [] }: Rejected): Promise<void> {
  const { path } = review;
  const before = await requireUnchanged(ports, review, ids);
  const outcome = ids ? withoutLines(review, ids) : await baseOutcome(ports, review);
  const id = ports.newId();
  await ports.record({ type: 'checkpoint', id, files: [{ path, state: before }] });
  await write(ports, path, before, outcome);
  const after = (await keepState(ports, path, before)) ?? ABSENT_STATE;
  const lines = ids && { lines: [...ids] };
  const changes = [
    { path, before, after },
    ...(after.kind === 'absent' ? await removeEmpty(ports, made) : []),
  ];
  await ports.record({
    type: 'files_changed',
    id,
    by: 'review',
    changes,
    ...lines,
  });
}

/** Takes directories away until there is one that is not empty. */
async function removeEmpty({ files }: DecisionPorts, directories: readonly string[]): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const path of directories) {
    const entry = await files.look(path);
    if (entry.kind !== 'directory' || (await files.names(path)).length > 0) break;
    await files.remove(path);
    changes.push({ path, before: entry, after: ABSENT_STATE });
  }
  return changes;
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
  if (isSameState(now, review.now.state) && areThere) return now;
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
  throw new Error(say('What was in {0} before was not kept, so it cannot be rejected.', path));
}

async function keepOutcome(blobs: BlobStore, { state, bytes }: Outcome, like: FileState): Promise<FileState> {
  if (state.kind !== 'file' || !bytes) return ABSENT_STATE;
  const hash = await blobs.put(bytes, like.kind === 'file' ? like.hash : undefined);
  return { kind: 'file', hash, size: bytes.length, mode: state.mode };
}

async function write(
  { files, workspace }: DecisionPorts,
  path: string,
  before: FileState,
  { state, bytes }: Outcome,
): Promise<void> {
  if (state.kind === 'link') return files.link(path, state.target);
  if (state.kind === 'directory') return files.setMode(path, state.mode);
  // Whatever is written meanwhile is not overwritten.
  const expect = before.kind === 'file' ? before.hash : ABSENT;
  const isPlain = before.kind === 'file' || before.kind === 'absent';
  if (state.kind === 'absent')
    return isPlain ? void (await workspace.apply({ kind: 'delete', path, expect })) : files.remove(path);
  if (!bytes) return undefined;
  if (!isPlain) return files.write(path, bytes, state.mode);
  if (before.kind !== 'file' || before.hash !== versionOf(bytes))
    await workspace.apply({ kind: 'write', path, bytes, expect });
  if (before.kind !== 'file' || before.mode !== state.mode) await files.setMode(path, state.mode);
}
