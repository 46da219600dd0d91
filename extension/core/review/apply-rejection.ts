// Applies one planned rejection to the disk, reads back the result, and logs it.
import type { EventDraft, FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { versionOf } from '../base/content-hash.ts';
import { describeBlockedPath } from '../checkpoints/current-state.ts';
import { describeFailure } from '../checkpoints/describe-failure.ts';
import { ABSENT_STATE, type FileStates, isSameState, keepState } from '../checkpoints/file-state.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileTree } from '../ports/file-tree.ts';
import { ABSENT, type Workspace, WorkspaceError } from '../ports/workspace.ts';
import type { WorkspaceScan } from '../ports/workspace-scan.ts';
import type { GoneDirectory, Outcome } from './file-review.ts';

export interface DecisionPorts {
  readonly files: FileTree;
  readonly workspace: Pick<Workspace, 'apply'>;
  readonly blobs: BlobStore;
  readonly clock: Pick<Clock, 'yield'>;
  /** `absorb` stops the scan from attributing the rejection's changes to a running command. */
  readonly scan?: Pick<WorkspaceScan, 'absorb'> | undefined;
  /** Appends to the session's log. */
  record(...drafts: readonly EventDraft[]): Promise<void>;
  /** Returns a new id on every call. */
  newId(): string;
}

export interface RejectionResult {
  readonly path: string;
  readonly now: FileState;
  /** Path that gets `outcome`. Differs from `path` if the rejection undoes a move. */
  readonly to: string;
  readonly outcome: Outcome;
  /** Ids of the rejected lines; undefined for the whole file. */
  readonly ids: ReadonlySet<string> | undefined;
  /** Directories above `path` that the session created, innermost first. */
  readonly made: readonly string[];
  /** Directories above `to` that the session removed, outermost first. */
  readonly gone: readonly GoneDirectory[];
}

/**
 * Logs a checkpoint before the change and a `files_changed` after it, even if the change failed. Rejects with
 * a message for the user if it did.
 */
export async function applyRejection(ports: DecisionPorts, taken: RejectionResult): Promise<void> {
  const { path, to, gone, made, ids } = taken;
  const before = await statesOf(ports, new Set([...gone.map((each) => each.path), to, path, ...made]));
  const id = ports.newId();
  const files = [...before].map(([each, state]) => ({ path: each, state, becomes: becomesOf(taken, each) }));
  const rejects = { path: to, ...(ids && { lines: [...ids] }) };
  const failure = await ports
    .record({ type: 'checkpoint', id, files, rejects })
    .then(() => write(ports, taken))
    .then(
      () => undefined,
      (error: Error) => readableError(to, error),
    );
  await ports.scan?.absorb([...before.keys()]);
  const after = await statesOf(ports, before.keys(), before);
  const changes = files
    .map(({ path: each, state }) => ({ path: each, before: state, after: after.get(each) ?? ABSENT_STATE }))
    .filter((change) => !isSameState(change.before, change.after));
  const problem = problemOf(taken, after.get(to) ?? ABSENT_STATE, failure);
  const lines = problem ? { lines: [] } : ids && { lines: [...ids] };
  await ports.record({ type: 'files_changed', id, by: 'review', changes, ...lines });
  if (problem) throw problem;
}

/** The state that `path` must have after the rejection. */
function becomesOf({ to, now, outcome: { state, bytes }, gone }: RejectionResult, path: string): FileState {
  if (path === to && state.kind !== 'file') return state;
  if (path === to && state.kind === 'file')
    return bytes ? { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode: state.mode } : now;
  const directory = gone.find((each) => each.path === path);
  return directory ? { kind: 'directory', mode: directory.mode } : ABSENT_STATE;
}

async function statesOf(
  ports: DecisionPorts,
  paths: Iterable<string>,
  like?: FileStates,
): Promise<FileStates> {
  const states = new Map<string, FileState>();
  for (const path of paths) states.set(path, (await keepState(ports, path, like?.get(path))) ?? ABSENT_STATE);
  return states;
}

function readableError(path: string, error: Error): Error {
  if (!WorkspaceError.is(error)) return error;
  return new Error(say('Could not write {0}: {1.}.', path, describeFailure(error)), { cause: error });
}

function problemOf(
  { to, outcome }: RejectionResult,
  now: FileState,
  failure: Error | undefined,
): Error | undefined {
  if (failure) return failure;
  if (isReached(outcome, now)) return undefined;
  return new Error(say('Could not restore {0} to its earlier state. Review it again.', to));
}

export function isReached({ state, bytes }: Outcome, now: FileState): boolean {
  if (state.kind !== 'file') return isSameState(now, state);
  return now.kind === 'file' && now.mode === state.mode && (!bytes || versionOf(bytes) === now.hash);
}

async function write(ports: DecisionPorts, taken: RejectionResult): Promise<void> {
  const { path, now, to, outcome, made, gone } = taken;
  for (const directory of gone) await requireDirectory(ports.files, directory);
  await requireReached(ports.files, to);
  if (to !== path) await moveBack(ports, path, to);
  await writeState(ports, to, now, outcome);
  if (to !== path || outcome.state.kind === 'absent') await removeEmpty(ports.files, made);
}

async function requireDirectory(files: FileTree, { path, mode }: GoneDirectory): Promise<void> {
  const { kind } = await files.look(path);
  if (kind === 'absent') await files.makeDirectory(path, mode);
  else if (kind !== 'directory')
    throw new Error(say('{0} is no longer a folder. First reject what replaced it.', path));
}

/** Throws if a link or a file above `path` blocks it, because an editor would write through the link. */
async function requireReached(files: FileTree, path: string): Promise<void> {
  const entry = await files.look(path);
  if (entry.kind === 'absent' && entry.beyond)
    throw new Error(say('Could not write {0}: {1.}.', path, describeBlockedPath(entry.beyond)));
}

async function moveBack({ files, workspace }: DecisionPorts, path: string, to: string): Promise<void> {
  if ((await files.look(to)).kind !== 'absent')
    throw new Error(say('Could not move {0} back to {1}: the destination exists again.', path, to));
  await workspace.apply({ kind: 'move', source: path, destination: to });
}

/** Removes directories in the given order and stops at the first one that is not empty. */
async function removeEmpty(files: FileTree, directories: readonly string[]): Promise<void> {
  for (const path of directories) {
    const { kind } = await files.look(path);
    if (kind !== 'directory' || (await files.names(path)).length > 0) return;
    await files.remove(path);
  }
}

async function writeState(
  { files, workspace }: DecisionPorts,
  path: string,
  before: FileState,
  { state, bytes }: Outcome,
): Promise<void> {
  const isDirectory = before.kind === 'directory';
  const replaced = isDirectory ? ABSENT_STATE : before;
  if (state.kind === 'directory' && isDirectory) return files.setMode(path, state.mode);
  if (state.kind === 'absent' && before.kind === 'file')
    return void (await workspace.apply({ kind: 'delete', path, expect: before.hash }));
  if (state.kind === 'absent') return files.remove(path, before);
  if (isDirectory || (state.kind === 'directory' && before.kind !== 'absent'))
    await files.remove(path, before);
  if (state.kind === 'directory') return files.makeDirectory(path, state.mode);
  if (state.kind === 'link') return files.link(path, state.target, replaced);
  if (!bytes) return files.setMode(path, state.mode);
  if (before.kind === 'link') return files.write(path, bytes, state.mode, before);
  return writeFile({ files, workspace }, path, before, { bytes, mode: state.mode });
}

/** Never overwrites a newer change. If an editor formats what it saves, writes the exact bytes again. */
async function writeFile(
  { files, workspace }: Pick<DecisionPorts, 'files' | 'workspace'>,
  path: string,
  before: FileState,
  { bytes, mode }: { readonly bytes: Uint8Array; readonly mode: number },
): Promise<void> {
  const expect = before.kind === 'file' ? before.hash : ABSENT;
  const version =
    expect === versionOf(bytes) ? expect : await workspace.apply({ kind: 'write', path, bytes, expect });
  if (version !== versionOf(bytes))
    return files.write(path, bytes, mode, { kind: 'file', hash: version ?? '' });
  if (before.kind !== 'file' || before.mode !== mode) await files.setMode(path, mode);
}
