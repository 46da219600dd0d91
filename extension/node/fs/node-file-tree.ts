import type { Stats } from 'node:fs';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  readdir,
  readlink,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { requireReplaced } from '../../core/checkpoints/require-unchanged.ts';
import type { FileTree, FileTreeEntry, Replaced } from '../../core/ports/file-tree.ts';
import { WorkspaceError } from '../../core/ports/workspace.ts';
import { asWorkspaceErrors, errorCode, ifPresent } from './file-errors.ts';
import { keepOwner } from './keep-owner.ts';
import { makeParents, removeMade } from './make-folders.ts';
import { readBytes } from './read-file.ts';
import { renameIntoPlace, syncDirectory } from './rename-into-place.ts';
import { discard, removeLeftovers, temporaryBeside } from './temporary-files.ts';

/** The files on disk. `guardedFiles` checks for links above a path. */
export const nodeFileTree: FileTree = {
  look: (path) => asWorkspaceErrors(path, look(path)),
  names: (path) => asWorkspaceErrors(path, sortedNames(path)),
  read: (path, maxBytes) => asWorkspaceErrors(path, readBytes(path, maxBytes)),
  write: (path, bytes, mode, replaced) =>
    asWorkspaceErrors(
      path,
      replaceWith(path, replaced, async (temporary, old) => {
        await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true });
        if (old) await keepOwner((user, group) => lchown(temporary, user, group), old);
        await chmod(temporary, mode);
      }),
    ),
  link: (path, target, replaced) =>
    asWorkspaceErrors(
      path,
      replaceWith(path, replaced, (temporary) => symlink(target, temporary)),
    ),
  makeDirectory: (path, mode) => asWorkspaceErrors(path, makeDirectory(path, mode)),
  setMode: (path, mode) => asWorkspaceErrors(path, setMode(path, mode)),
  tidy: removeLeftovers,
  remove: (path, replaced) => asWorkspaceErrors(path, remove(path, replaced)),
};

export function entryOf(
  stats: Stats,
): Exclude<FileTreeEntry, { kind: 'absent' | 'link' }> | { readonly kind: 'link' } {
  const mode = stats.mode & 0o7777;
  if (stats.isFile())
    return { kind: 'file', size: stats.size, mode, ...(stats.nlink > 1 && { isLinked: true }) };
  if (stats.isDirectory()) return { kind: 'directory', mode };
  return { kind: stats.isSymbolicLink() ? 'link' : 'special' };
}

async function look(path: string): Promise<FileTreeEntry> {
  const stats = await ifPresent(lstat(path));
  if (!stats) return { kind: 'absent' };
  const entry = entryOf(stats);
  return entry.kind === 'link' ? { kind: 'link', target: await readlink(path) } : entry;
}

async function sortedNames(path: string): Promise<readonly string[]> {
  return (await readdir(path)).sort();
}

/** `make` gets a temporary path in the same folder, and the status of the file that it replaces, if any. */
async function replaceWith(
  path: string,
  replaced: Replaced | undefined,
  make: (temporary: string, old: Stats | undefined) => Promise<void>,
): Promise<void> {
  const old = await ifPresent(lstat(path));
  if (old?.isDirectory()) throw new WorkspaceError('is-directory', path, `path is a directory: ${path}`);
  const made = await makeParents(path);
  const temporary = temporaryBeside(path);
  try {
    await make(temporary, old?.isFile() ? old : undefined);
    await requireReplaced(nodeFileTree, path, replaced);
    await renameIntoPlace(temporary, path);
  } catch (error) {
    await discard(temporary);
    await removeMade(made);
    throw error;
  }
}

async function makeDirectory(path: string, mode: number): Promise<void> {
  await makeParents(path);
  await mkdir(path);
  // Sets the mode regardless of the umask.
  await chmod(path, mode);
}

/** Rejects for a link, because `chmod` would change the mode of its target. */
async function setMode(path: string, mode: number): Promise<void> {
  if ((await lstat(path)).isSymbolicLink())
    throw new WorkspaceError('not-regular', path, `is a symbolic link: ${path}`);
  await chmod(path, mode);
}

async function remove(path: string, replaced: Replaced | undefined): Promise<void> {
  await requireReplaced(nodeFileTree, path, replaced);
  const stats = await lstat(path);
  await (stats.isDirectory() ? removeDirectory(path) : unlink(path));
  // Otherwise, a power loss could bring the path back, although the log says that it is gone.
  await syncDirectory(dirname(path));
}

async function removeDirectory(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
    throw new WorkspaceError('not-empty', path, `directory is not empty: ${path}`, { cause: error });
  }
}
