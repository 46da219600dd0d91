// Reads what a path holds on the disk into the `FileState` of the log.
import { dirname, join } from 'node:path';
import type { FileChange, FileState } from '../../protocol/events.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { FileTree, FileTreeEntry } from '../ports/file-tree.ts';
import { storedHashOf } from './blob-names.ts';

/** In bytes. Harness does not store larger files. */
export const MAX_KEPT = 50_000_000;

/** The state of each path. */
export type FileStates = ReadonlyMap<string, FileState>;

export const ABSENT_STATE: FileState = { kind: 'absent' };

export function isSameState(one: FileState, other: FileState): boolean {
  if (one.kind === 'absent') return other.kind === 'absent';
  if (one.kind === 'link') return other.kind === 'link' && one.target === other.target;
  if (one.kind === 'directory') return other.kind === 'directory' && one.mode === other.mode;
  return other.kind === 'file' && hasSameBytes(one, other) && one.mode === other.mode;
}

/**
 * Whether a file or a link changed. Directories do not count, because they come and go with what is in them.
 */
export function changesContent({ before, after }: FileChange): boolean {
  return isContent(before) || isContent(after);
}

/** Whether the state is a file or a link, whose removal loses data unless a copy is stored. */
export function isContent({ kind }: FileState): boolean {
  return kind === 'file' || kind === 'link';
}

/**
 * Whether both are files with the same bytes. False where the bytes of one were never read (its hash is
 * empty).
 */
export function hasSameBytes(one: FileState, other: FileState): boolean {
  return one.kind === 'file' && other.kind === 'file' && one.hash !== '' && one.hash === other.hash;
}

/**
 * Whether the states are equal, as far as Harness knows. Files whose bytes were never read compare by size
 * and mode.
 */
export function isAlike(one: FileState, other: FileState): boolean {
  if (isSameState(one, other)) return true;
  if (one.kind !== 'file' || other.kind !== 'file') return false;
  return one.hash === '' && other.hash === '' && one.size === other.size && one.mode === other.mode;
}

/**
 * Stores what lies at `path`, and resolves with its state. `like` is an earlier state, against which the
 * store may write a small delta. Resolves with undefined for a special file, such as a socket or a device.
 */
export async function keepState(
  { files, blobs }: { readonly files: FileTree; readonly blobs: BlobStore },
  path: string,
  like?: FileState,
): Promise<FileState | undefined> {
  const entry = await files.look(path);
  return keepEntry(blobs, entry, () => files.read(path, MAX_KEPT), like);
}

/**
 * Like `keepState`, for an entry that the caller has already looked up. Rejects as `bytes` and the store do.
 */
export async function keepEntry(
  blobs: BlobStore,
  entry: FileTreeEntry,
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

export function unkept({ size, mode }: Extract<FileTreeEntry, { kind: 'file' }>) {
  return { kind: 'file', hash: '', size, mode, unkept: true } as const satisfies FileState;
}

/**
 * Limits for everything in the directories that one call names. Harness stores nothing for a call that
 * exceeds them.
 */
export const MAX_BELOW = { entries: 2_000, bytes: 100_000_000 };

/** A directory that cannot be stored as a whole: it holds too much, or a name that is not UTF-8. */
export interface Unkeepable {
  readonly path: string;
  readonly why: 'too-large' | 'mangled';
}

/**
 * The paths, everything below them, and their missing parent directories. Leaves out `.git`, because Harness
 * does not manage its files. Resolves with an `Unkeepable` where a directory cannot be stored as a whole.
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

/** The paths and their missing parent directories. */
export async function withMissingParents(
  files: FileTree,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const touched = new Set(paths);
  for (const path of paths) await addMissingParents(files, path, touched);
  return touched;
}

/** Resolves with the reason if it could not add everything in the directory. */
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

/**
 * A name that is not UTF-8 is decoded with this replacement character. A lookup by the decoded name finds
 * nothing.
 */
export function isUndecodableName(name: string): boolean {
  return name.includes('\ufffd');
}
