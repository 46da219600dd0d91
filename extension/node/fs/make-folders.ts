import { chmod, mkdir, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WorkspaceError } from '../../core/ports/workspace.ts';
import { errorCode, ifPresent } from './file-errors.ts';
import { syncDirectory } from './rename-into-place.ts';

/**
 * Makes a folder for the user alone, and those above it that are missing. Their names are on the disk then, so that what is
 * synced in the folder later is not lost with it. Step by step, since Node's own recursive mkdir
 * says that nothing is there where the file system is read-only, and never returns below a folder such as /proc that makes none.
 */
export async function makeFolder(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined))?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    // Another window may have made it meanwhile.
    if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  });
  await syncDirectory(dirname(path));
}

const DIRECTORY_MODE = 0o755;

/** Makes the missing directories above `path` (0755, whatever the umask). Resolves to those it made, outermost first. */
export async function makeParents(path: string): Promise<string[]> {
  const parent = dirname(path);
  const stats = await ifPresent(stat(parent));
  if (stats?.isDirectory()) return [];
  if (stats) throw new WorkspaceError('not-directory', parent, `not a directory: ${parent}`);
  const made = await makeParents(parent);
  return (await makeDirectory(parent)) ? [...made, parent] : made;
}

/** Takes away directories that are still empty, innermost first, when what they were made for failed. */
export async function removeMade(made: readonly string[]): Promise<void> {
  for (const path of [...made].reverse()) {
    // Somebody has put something into it meanwhile: then it stays.
    await rmdir(path).catch(() => undefined);
  }
}

/** False where somebody else was faster. */
async function makeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, DIRECTORY_MODE);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  await chmod(path, DIRECTORY_MODE);
  // Or what is moved into it could be lost with it.
  await syncDirectory(dirname(path));
  return true;
}
