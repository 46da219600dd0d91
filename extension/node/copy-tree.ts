import { constants, type Stats } from 'node:fs';
import { chmod, copyFile, lchown, lstat, lutimes, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from '../core/ports/workspace.ts';
import { keepOwner } from './keep-owner.ts';

/** Copies what `mv` would: modes, times and, where allowed, owners stay; links stay links. Nothing may be at `to`. */
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
  // A link has no mode of its own: changing it would change what it leads to.
  if (!stats.isSymbolicLink()) await chmod(path, stats.mode & 0o7777);
  await lutimes(path, stats.atimeMs / 1000, stats.mtimeMs / 1000);
}
