// What has to be done so that files are again as they were when an event had happened, without losing what the user has
// done to them since. Nothing is changed here.
import { dirname } from 'node:path';
import type { FileState } from '../../protocol/events.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { FileTree } from '../ports/file-tree.ts';
import { versionOf } from '../tools/version.ts';
import { type FileHistory, type Stretch, stretchesOf } from './file-history.ts';
import { ABSENT_STATE, isSameFile, isSameState, MAX_KEPT, unkept } from './file-states.ts';
import { chooseOf, mergeFiles } from './merge-texts.ts';
import { hashOfKept } from './named-blobs.ts';

export type RestoreStep =
  /** It is as it was. */
  | { readonly kind: 'identical' }
  /** It becomes what it was. */
  | { readonly kind: 'restore' }
  /** It becomes what it was, with what the user has done to it since. */
  | { readonly kind: 'merge'; readonly bytes: Uint8Array; readonly mode: number }
  /** It was changed since in a way that cannot be joined with what it was. */
  | { readonly kind: 'conflict' }
  /** The bytes of then are not kept; or a directory holds what is not of the session. */
  | { readonly kind: 'unkept' | 'occupied' };

export interface PlannedRestore {
  /** Absolute. */
  readonly path: string;
  readonly then: FileState;
  readonly now: FileState;
  readonly step: RestoreStep;
}

export interface RestorePorts {
  readonly files: FileTree;
  readonly blobs: BlobStore;
}

/** Of every path that the session has changed behind event `seq`, in the order of the paths. */
export async function planRestore(
  history: FileHistory,
  seq: number,
  ports: RestorePorts,
): Promise<readonly PlannedRestore[]> {
  const plan: PlannedRestore[] = [];
  for (const [path, changes] of [...history.changedSince(seq)].sort(byPath))
    plan.push(await planPath(path, stretchesOf(changes), ports));
  return withOccupied(plan, ports.files);
}

/** What lies there now. `bytes` of a file that is not too large. */
export async function lookAt(files: FileTree, path: string): Promise<Content> {
  const entry = await files.look(path);
  if (entry.kind === 'special') return { state: UNLIKE_ANY };
  if (entry.kind !== 'file') return { state: entry };
  if (entry.size > MAX_KEPT) return { state: unkept(entry) };
  const bytes = await files.read(path, MAX_KEPT);
  return { state: { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode: entry.mode }, bytes };
}

/** A socket or device stands for a file that is like no other. */
const UNLIKE_ANY = unkept({ kind: 'file', size: 0, mode: 0 });

interface Content {
  readonly state: FileState;
  readonly bytes?: Uint8Array | undefined;
}

function byPath([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

async function planPath(
  path: string,
  stretches: readonly Stretch[],
  ports: RestorePorts,
): Promise<PlannedRestore> {
  const now = await lookAt(ports.files, path);
  const then = stretches[0]?.before ?? now.state;
  const planned = { path, then, now: now.state };
  const result = await takenBack(now, stretches, ports.blobs);
  const isIdentical = isSameState((result ?? { state: then }).state, now.state);
  if (isIdentical) return { ...planned, step: { kind: 'identical' } };
  const isKnown = stretches.every(({ after }) => after.kind !== 'file' || !after.unkept);
  if (!result) return { ...planned, step: { kind: isKnown ? 'conflict' : 'unkept' } };
  if (isSameState(result.state, then))
    return { ...planned, step: { kind: (await isKept(then, ports.blobs)) ? 'restore' : 'unkept' } };
  const bytes = await bytesOf(result, ports.blobs);
  if (!bytes || result.state.kind !== 'file') return { ...planned, step: { kind: 'unkept' } };
  return { ...planned, step: { kind: 'merge', bytes, mode: result.state.mode } };
}

/** `now` without what the session has done, the newest stretch first. Undefined where that cannot be told apart. */
async function takenBack(
  now: Content,
  stretches: readonly Stretch[],
  blobs: BlobStore,
): Promise<Content | undefined> {
  let content: Content | undefined = now;
  for (const stretch of stretches.toReversed()) {
    const { before, after } = stretch;
    const isOfBetween = content !== now && before.kind === 'absent';
    // What the user had made of a new file of ours stays theirs.
    if (isOfBetween && content?.state.kind === 'file' && !isSameState(content.state, after)) continue;
    content = content && (await without(stretch, content, blobs));
  }
  return content;
}

async function without(
  { before, after }: Stretch,
  content: Content,
  blobs: BlobStore,
): Promise<Content | undefined> {
  if (isSameState(content.state, after)) return { state: before };
  if (isSameState(content.state, before)) return content;
  const { state } = content;
  if (state.kind === 'directory' && after.kind === 'directory') return { state: before };
  if (state.kind !== 'file' || before.kind !== 'file' || after.kind !== 'file') return undefined;
  const mode = chooseOf(after.mode, state.mode, before.mode);
  if (isSameFile(state, after)) return { state: { ...before, mode } };
  if (isSameFile(after, before)) return { ...content, state: { ...state, mode } };
  const [base, theirs, mine] = await Promise.all([
    bytesOf({ state: after }, blobs),
    bytesOf({ state: before }, blobs),
    bytesOf(content, blobs),
  ]);
  const bytes = base && theirs && mine && mergeFiles(base, mine, theirs);
  return bytes && { state: { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode }, bytes };
}

async function bytesOf({ state, bytes }: Content, blobs: BlobStore): Promise<Uint8Array | undefined> {
  const hash = hashOfKept(state);
  return bytes ?? (hash === undefined ? undefined : blobs.get(hash).catch(() => undefined));
}

/** The bytes are there and whole, where it has any. */
async function isKept(state: FileState, blobs: BlobStore): Promise<boolean> {
  return state.kind !== 'file' || (await bytesOf({ state }, blobs)) !== undefined;
}

/** A directory is only taken away with nothing in it but what is taken away too. */
async function withOccupied(
  plan: readonly PlannedRestore[],
  files: FileTree,
): Promise<readonly PlannedRestore[]> {
  const going = new Set(plan.filter(isGoing).map(({ path }) => path));
  // The innermost first: what stays in one keeps those around it too.
  for (const { path } of plan
    .filter(({ path, now }) => going.has(path) && now.kind === 'directory')
    .reverse()) {
    const names = await files.names(path);
    const stays = names.length > [...going].filter((other) => dirname(other) === path).length;
    if (stays) going.delete(path);
  }
  return plan.map((planned) =>
    isGoing(planned) && !going.has(planned.path) ? { ...planned, step: { kind: 'occupied' } } : planned,
  );
}

function isGoing({ now, then, step }: PlannedRestore): boolean {
  return step.kind === 'restore' && now.kind !== 'absent' && isSameState(then, ABSENT_STATE);
}
