// States of files, as the log has them, of what lies on the disk.
import { dirname, join } from 'node:path';
import type { FileChange, FileState } from '../../protocol/events.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Entry, FileTree } from '../ports/file-tree.ts';
import { storedHashOf } from './blob-names.ts';

/** Larger files are not kept. Bytes. */
export const MAX_KEPT = 50_000_000;

/** Paths with what lies there. */
export type FileStates = ReadonlyMap<string, FileState>;

export const ABSENT_STATE: FileState = { kind: 'absent' };

export function isSameState(one: FileState, other: FileState): boolean {
  if (one.kind === 'absent') return other.kind === 'absent';
  if (one.kind === 'link') return other.kind === 'link' && one.target === other.target;
  if (one.kind === 'directory') return other.kind === 'directory' && one.mode === other.mode;
  return other.kind === 'file' && hasSameBytes(one, other) && one.mode === other.mode;
}

/** Of a file or a link: folders come and go with what is in them, and are not counted. */
export function changesContent({ before, after }: FileChange): boolean {
  return isContent(before) || isContent(after);
}

/** It is lost where nothing holds it: a file or a link. */
export function isContent({ kind }: FileState): boolean {
  return kind === 'file' || kind === 'link';
}

/** Two files with the same bytes. A file whose bytes were never read (its hash is empty) is like none. */
export function hasSameBytes(one: FileState, other: FileState): boolean {
  return one.kind === 'file' && other.kind === 'file' && one.hash !== '' && one.hash === other.hash;
}

/** The same as far as anybody knows: of files whose bytes were never read, size and mode have to do. */
export function isAlike(one: FileState, other: FileState): boolean {
  if (isSameState(one, other)) return true;
  if (one.kind !== 'file' || other.kind !== 'file') return false;
  return one.hash === '' && other.hash === '' && one.size === other.size && one.mode === other.mode;
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
  if (entry.kind === 'absent') return ABSENT_STATE;
  if (entry.kind !== 'file') return entry;
  if (entry.size > MAX_KEPT) return unkept(entry);
  const content = await bytes();
  const hash = await blobs.put(content, like && storedHashOf(like));
  return { kind: 'file', hash, size: content.length, mode: entry.mode };
}

export function unkept({ size, mode }: Extract<Entry, { kind: 'file' }>) {
  return { kind: 'file', hash: '', size, mode, unkept: true } as const satisfies FileState;
}

/** What may lie in the directories that a call names, so that it is kept: entries, and bytes. */
export const MAX_BELOW = { entries: 2_000, bytes: 100_000_000 };

/** A directory that cannot be kept as a whole: there is too much in it, or something that has no name in UTF-8. */
export interface Unkeepable {
  readonly path: string;
  readonly why: 'too-large' | 'mangled';
}

/**
 * The paths, all that lies below them, and the directories above them that are not there. No `.git`, whose files are not
 * ours. Resolves with the path below which there is something that is not kept, where there is one.
 */
export async function pathsTouched(
  files: FileTree,
  paths: readonly string[],
): Promise<ReadonlySet<string> | Unkeepable> {
  const touched = new Set<string>();
  const room = { ...MAX_BELOW };
  for (const path of paths) {
    if (isGit(path)) continue;
    touched.add(path);
    const isDirectory = (await files.look(path)).kind === 'directory';
    const why = isDirectory ? await addBelow(files, path, touched, room) : undefined;
    if (why) return { path, why };
    await addMissingParents(files, path, touched);
  }
  return touched;
}

/** The paths, and the directories above them that are not there. */
export async function withMissingParents(
  files: FileTree,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const touched = new Set(paths);
  for (const path of paths) await addMissingParents(files, path, touched);
  return touched;
}

/** Resolves with why not all that lies in a directory could be added. */
async function addBelow(
  files: FileTree,
  directory: string,
  touched: Set<string>,
  room: { entries: number; bytes: number },
): Promise<Unkeepable['why'] | undefined> {
  for (const name of await files.names(directory)) {
    const path = join(directory, name);
    if (isGit(path)) continue;
    const entry = await files.look(path);
    if (entry.kind === 'absent' && isUndecodableName(name)) return 'mangled';
    room.entries -= 1;
    if (entry.kind === 'file') room.bytes -= entry.size;
    if (room.entries < 0 || room.bytes < 0) return 'too-large';
    touched.add(path);
    const why = entry.kind === 'directory' ? await addBelow(files, path, touched, room) : undefined;
    if (why) return why;
  }
  return undefined;
}

async function addMissingParents(files: FileTree, path: string, touched: Set<string>): Promise<void> {
  for (let parent = dirname(path); (await files.look(parent)).kind === 'absent'; parent = dirname(parent))
    touched.add(parent);
}

function isGit(path: string): boolean {
  return /[\\/]\.git$/.test(path);
}

/** A name on the disk that is not UTF-8 is read as one with this character in it, and nothing is found by that. */
export function isUndecodableName(name: string): boolean {
  return name.includes('\ufffd');
}
