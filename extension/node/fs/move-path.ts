import { constants, type Stats } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  lchown,
  lstat,
  lutimes,
  mkdir,
  readdir,
  readlink,
  rm,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../core/base/paths.ts';
import { WorkspaceError } from '../../core/ports/workspace.ts';
import { allows } from './access.ts';
import { errorCode, ifPresent } from './file-errors.ts';
import { keepOwner } from './keep-owner.ts';
import { makeParents, removeMade } from './make-folders.ts';
import { realPath } from './real-path.ts';
import { renameIntoPlace } from './rename-into-place.ts';
import { discard, temporaryBeside } from './temporary-files.ts';

/**
 * Moves the file, directory or link at `source` to `destination`. Overwrites a file there, replaces an empty
 * directory, and makes missing parents. Moves a link itself, not its target.
 */
export async function movePath(source: string, destination: string): Promise<void> {
  const from = await entryPath(source);
  const to = await entryPath(destination);
  const moved = await ifPresent(lstat(from));
  if (!moved) throw new WorkspaceError('not-found', from, `source not found: ${from}`);
  const replaced = await ifPresent(lstat(to));
  checkMove(from, moved, to, replaced);
  try {
    await moveChecked(from, moved, to, replaced);
  } catch (error) {
    throw await explain(error, from, to);
  }
}

/** Resolves links in the parents, but not in the last name, which may be a link itself. */
async function entryPath(path: string): Promise<string> {
  return join(await realPath(dirname(path)), basename(path));
}

function checkMove(from: string, moved: Stats, to: string, replaced: Stats | undefined): void {
  if (from === to) throw new WorkspaceError('failed', from, 'source and destination are the same');
  if (!moved.isDirectory()) return;
  if (isInside(from, to)) throw new WorkspaceError('failed', to, 'cannot move directory into itself');
  if (replaced && !replaced.isDirectory()) {
    throw new WorkspaceError('failed', to, `cannot overwrite a file with a directory: ${to}`);
  }
}

async function moveChecked(
  from: string,
  moved: Stats,
  to: string,
  replaced: Stats | undefined,
): Promise<void> {
  const other = replaced && !isSameEntry(moved, replaced) ? replaced : undefined;
  const made = await makeParents(to);
  if (other?.isDirectory()) await removeEmpty(to);
  try {
    await relocate(from, to);
  } catch (error) {
    if (other?.isDirectory()) await mkdir(to, other.mode);
    await removeMade(made);
    throw error;
  }
}

/** Whether both are one file, found by a name in another case or by another hard link. */
function isSameEntry(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

async function removeEmpty(directory: string): Promise<void> {
  try {
    await rmdir(directory);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
    const message = `cannot overwrite non-empty directory: ${directory}`;
    throw new WorkspaceError('not-empty', directory, message, { cause: error });
  }
}

async function relocate(from: string, to: string): Promise<void> {
  try {
    await renameIntoPlace(from, to);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    await moveAcross(from, to);
    return;
  }
  await removeOtherName(from, to);
}

/** Removes the old name if both names belong to one file, because `rename` does nothing then. */
async function removeOtherName(from: string, to: string): Promise<void> {
  if (from.toLowerCase() === to.toLowerCase()) return;
  const left = await ifPresent(lstat(from));
  if (left && isSameEntry(left, await lstat(to))) await unlink(from);
}

/**
 * Moves to another file system. The destination appears only when it is complete, and the source goes last.
 */
export async function moveAcross(from: string, to: string): Promise<void> {
  await access(dirname(from), constants.W_OK);
  const temporary = temporaryBeside(to);
  try {
    await copyTree(from, temporary);
    await renameIntoPlace(temporary, to);
  } catch (error) {
    await discard(temporary);
    throw error;
  }
  await rm(from, { recursive: true });
}

/** Turns a denial into an error that says which of the two paths it is about. */
async function explain(error: unknown, from: string, to: string): Promise<unknown> {
  const code = errorCode(error);
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return error;
  return new WorkspaceError('permission-denied', from, `permission denied: ${await refusal(from, to)}`, {
    cause: error,
  });
}

async function refusal(from: string, to: string): Promise<string> {
  if (!(await allows(await existingAncestor(to), constants.W_OK))) return `cannot write to ${to}`;
  if (!(await allows(dirname(from), constants.W_OK))) return `cannot write to ${dirname(from)}`;
  if (!(await allows(from, constants.R_OK))) return `cannot read ${from}`;
  return `cannot write to ${to}`;
}

async function existingAncestor(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path || (await allows(parent, constants.F_OK))) return parent;
  return existingAncestor(parent);
}

/** Copies like `mv`: keeps modes, times, links and, if allowed, owners. Nothing may exist at `to`. */
export async function copyTree(from: string, to: string): Promise<void> {
  const stats = await lstat(from);
  if (stats.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (stats.isFile()) await copyFile(from, to, constants.COPYFILE_EXCL);
  else if (stats.isDirectory()) await copyDirectory(from, to);
  else throw new WorkspaceError('not-regular', from, `cannot be moved to another file system: ${from}`);
  await keepAttributes(to, stats);
}

async function copyDirectory(from: string, to: string): Promise<void> {
  await mkdir(to, 0o700);
  for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name));
}

async function keepAttributes(path: string, stats: Stats): Promise<void> {
  await keepOwner((user, group) => lchown(path, user, group), stats);
  // A link has no mode of its own, and `chmod` would change its target.
  if (!stats.isSymbolicLink()) await chmod(path, stats.mode & 0o7777);
  await lutimes(path, stats.atimeMs / 1000, stats.mtimeMs / 1000);
}
