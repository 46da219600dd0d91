// What lies at a path now, as far as it can be compared with what the session knows.
import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { versionOf } from '../base/content-hash.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Beyond, FileTree } from '../ports/file-tree.ts';
import { WorkspaceError } from '../ports/workspace.ts';
import { describeFailure } from './describe-failure.ts';
import { ABSENT_STATE, isSameState, MAX_KEPT, unkept } from './file-state.ts';

export interface Content {
  readonly state: FileState;
  /** Of a file that could be read. */
  readonly bytes?: Uint8Array | undefined;
  /** Why it is like nothing that is known, as the end of a sentence. */
  readonly why?: string;
  /** The file has other names, too. */
  readonly isLinked?: boolean | undefined;
  /** The file on disk may hold something else. */
  readonly isUnsaved?: boolean | undefined;
  /** Nothing is there, nor could be. */
  readonly beyond?: Beyond;
}

/** A file that is like no other: it stands for what cannot be read. */
export const UNLIKE_ANY = unkept({ kind: 'file', size: 0, mode: 0 });

export async function readState(files: FileTree, path: string): Promise<Content> {
  try {
    return await readContent(files, path);
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error;
    return { state: UNLIKE_ANY, why: describeFailure(error) };
  }
}

/** The same; rejects where it cannot be read. */
export async function readContent(files: Pick<FileTree, 'look' | 'read'>, path: string): Promise<Content> {
  const entry = await files.look(path);
  if (entry.kind === 'absent') return { state: ABSENT_STATE, ...(entry.beyond && { beyond: entry.beyond }) };
  if (entry.kind === 'special')
    return { state: UNLIKE_ANY, why: say('it is a pipe, a socket or a device now') };
  if (entry.kind !== 'file') return { state: entry };
  if (entry.size > MAX_KEPT) return { state: unkept(entry), why: say('it is too large to be kept') };
  const bytes = await files.read(path, MAX_KEPT);
  const { mode, isLinked, isUnsaved } = entry;
  const state: FileState = { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode };
  return { state, bytes, isLinked, isUnsaved };
}

/** What lies at a path, or where a link above it leads that is not the one of `then`, as the end of a sentence. */
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

/** A path leads through a link that was not there `then`: what was made at it may lie where that leads. */
export function leadsElsewhere({ leadsTo }: Beyond, then?: FileState, now?: FileState): boolean {
  return leadsTo !== undefined && !(then && now && isSameState(then, now));
}

/** Undefined where they are not kept, or not whole. What was not kept at first may be by now. */
export async function storedBytesOf(
  { state, bytes }: Content,
  blobs: Pick<BlobStore, 'get'>,
): Promise<Uint8Array | undefined> {
  const hash = state.kind === 'file' ? state.hash : '';
  return bytes ?? (hash === '' ? undefined : blobs.get(hash).catch(() => undefined));
}

/** The bytes are there and whole, where it has any. */
export async function isKept(state: FileState, blobs: Pick<BlobStore, 'get'>): Promise<boolean> {
  return state.kind !== 'file' || (await storedBytesOf({ state }, blobs)) !== undefined;
}

/** Why nothing is done at a path, as the end of a sentence. */
export function describeBlockedPath({ at, leadsTo }: Beyond): string {
  return leadsTo === undefined
    ? say('{0} above it is no directory', at)
    : say('through a symbolic link above it, it is now {0}', leadsTo);
}
