// States of files, as the log has them, of what lies on the disk.
import { dirname, join } from 'node:path';
import type { FileState } from '../../protocol/events.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Entry, FileTree } from '../ports/file-tree.ts';
import { hashOfKept } from './named-blobs.ts';

/** Larger files are not kept. Bytes. */
export const MAX_KEPT = 50_000_000;

/** Paths with what lies there. */
export type FileStates = ReadonlyMap<string, FileState>;

export const ABSENT_STATE: FileState = { kind: 'absent' };

export function isSameState(one: FileState, other: FileState): boolean {
  if (one.kind === 'absent') return other.kind === 'absent';
  if (one.kind === 'link') return other.kind === 'link' && one.target === other.target;
  if (one.kind === 'directory') return other.kind === 'directory' && one.mode === other.mode;
  return other.kind === 'file' && isSameFile(one, other) && one.mode === other.mode;
}

/** Two files with the same bytes. A file whose bytes were never read (its hash is empty) is like none. */
export function isSameFile(one: FileState, other: FileState): boolean {
  return one.kind === 'file' && other.kind === 'file' && one.hash !== '' && one.hash === other.hash;
}

/** Keeps what lies at `path`. `like` is an earlier state. Undefined for what is neither file, link nor directory. */
export async function keepState(
  { files, blobs }: { readonly files: FileTree; readonly blobs: BlobStore },
  path: string,
  like?: FileState,
): Promise<FileState | undefined> {
  const entry = await files.look(path);
  return keepEntry(blobs, entry, () => files.read(path, MAX_KEPT), like);
}

/** The same, of what was looked at before. Rejects as `bytes` and the store do. */
export async function keepEntry(
  blobs: BlobStore,
  entry: Entry,
  bytes: () => Promise<Uint8Array>,
  like?: FileState,
): Promise<FileState | undefined> {
  if (entry.kind === 'special') return undefined;
  if (entry.kind !== 'file') return entry;
  if (entry.size > MAX_KEPT) return unkept(entry);
  const content = await bytes();
  const hash = await blobs.put(content, like && hashOfKept(like));
  return { kind: 'file', hash, size: content.length, mode: entry.mode };
}

export function unkept({ size, mode }: Extract<Entry, { kind: 'file' }>): FileState {
  return { kind: 'file', hash: '', size, mode, unkept: true };
}

/** The paths, all that lies below them, and the directories above them that are not there. No `.git`, whose files are not ours. */
export async function pathsTouched(files: FileTree, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const touched = new Set<string>();
  for (const path of paths) {
    await addBelow(files, path, touched);
    await addMissingParents(files, path, touched);
  }
  return touched;
}

async function addBelow(files: FileTree, path: string, touched: Set<string>): Promise<void> {
  if (isGit(path)) return;
  touched.add(path);
  if ((await files.look(path)).kind !== 'directory') return;
  for (const name of await files.names(path)) await addBelow(files, join(path, name), touched);
}

async function addMissingParents(files: FileTree, path: string, touched: Set<string>): Promise<void> {
  for (let parent = dirname(path); (await files.look(parent)).kind === 'absent'; parent = dirname(parent))
    touched.add(parent);
}

function isGit(path: string): boolean {
  return /[\\/]\.git$/.test(path);
}
