// Reads the current state of a path, for comparison with the states that the session knows.
import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { versionOf } from '../base/content-hash.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Beyond, FileTree } from '../ports/file-tree.ts';
import { WorkspaceError } from '../ports/workspace.ts';
import { describeFailure } from './describe-failure.ts';
import { ABSENT_STATE, isSameState, MAX_KEPT, unkept } from './file-state.ts';

export interface PathContent {
  readonly state: FileState;
  /** Set for a file that could be read. */
  readonly bytes?: Uint8Array | undefined;
  /** Why the state matches no known state, as the end of a sentence. */
  readonly why?: string;
  /** The file has other hard links. */
  readonly isLinked?: boolean | undefined;
  /** An editor has unsaved text of the file, and `bytes` holds that text. The file on the disk may differ. */
  readonly isUnsaved?: boolean | undefined;
  /** Nothing can exist at the path, because a file or a link above it is in the way. */
  readonly beyond?: Beyond;
}

/** Equals no state, not even itself, because its hash is empty. Stands for what cannot be read. */
export const UNLIKE_ANY = unkept({ kind: 'file', size: 0, mode: 0 });

export async function readState(files: FileTree, path: string): Promise<PathContent> {
  try {
    return await readContent(files, path);
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error;
    return { state: UNLIKE_ANY, why: describeFailure(error) };
  }
}

/** Like `readState`, but rejects where the path cannot be read. */
export async function readContent(
  files: Pick<FileTree, 'look' | 'read'>,
  path: string,
): Promise<PathContent> {
  const entry = await files.look(path);
  if (entry.kind === 'absent') return { state: ABSENT_STATE, ...(entry.beyond && { beyond: entry.beyond }) };
  if (entry.kind === 'special')
    return { state: UNLIKE_ANY, why: say('it is now a pipe, a socket or a device') };
  if (entry.kind !== 'file') return { state: entry };
  if (entry.size > MAX_KEPT) return { state: unkept(entry), why: say('it is too large to store') };
  const bytes = await files.read(path, MAX_KEPT);
  const { mode, isLinked, isUnsaved } = entry;
  const state: FileState = { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode };
  return { state, bytes, isLinked, isUnsaved };
}

/**
 * Reads the state of a path. `then` gives the target state of a path above it. `elsewhere` is set where the
 * path now leads through another link than in `then`; it is the end of a sentence.
 */
export async function readStateAt(
  files: FileTree,
  path: string,
  then: (above: string) => FileState | undefined,
): Promise<{ readonly state: FileState; readonly elsewhere?: string }> {
  const { state, beyond } = await readState(files, path);
  if (!beyond) return { state };
  const { state: above } = await readState(files, beyond.at);
  return {
    state,
    ...(leadsElsewhere(beyond, then(beyond.at), above) && { elsewhere: describeBlockedPath(beyond) }),
  };
}

/**
 * Whether a path leads through a link that is not the link of `then`. A file that was made at the path may
 * lie at the target of the link.
 */
export function leadsElsewhere({ leadsTo }: Beyond, then?: FileState, now?: FileState): boolean {
  return leadsTo !== undefined && !(then && now && isSameState(then, now));
}

/**
 * Undefined where the bytes are not stored, or damaged. Also looks up a state marked `unkept`, because its
 * bytes may have been stored later.
 */
export async function storedBytesOf(
  { state, bytes }: PathContent,
  blobs: Pick<BlobStore, 'get'>,
): Promise<Uint8Array | undefined> {
  const hash = state.kind === 'file' ? state.hash : '';
  return bytes ?? (hash === '' ? undefined : blobs.get(hash).catch(() => undefined));
}

/** Whether the bytes are stored and undamaged. True for a state without bytes. */
export async function isKept(state: FileState, blobs: Pick<BlobStore, 'get'>): Promise<boolean> {
  return state.kind !== 'file' || (await storedBytesOf({ state }, blobs)) !== undefined;
}

/** Why Harness does nothing at a path, as the end of a sentence. */
export function describeBlockedPath({ at, leadsTo }: Beyond): string {
  return leadsTo === undefined
    ? say('{0} above it is not a folder', at)
    : say('a symbolic link above it now leads to {0}', leadsTo);
}
