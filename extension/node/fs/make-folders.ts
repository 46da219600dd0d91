import { chmod, mkdir, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WorkspaceError } from '../../core/ports/workspace.ts';
import { errorCode, ifPresent } from './file-errors.ts';
import { syncDirectory } from './rename-into-place.ts';

/**
 * Makes a folder and the missing folders above it, for the user alone. Syncs their names, so that a power
 * loss does not lose files that are synced in the folder later. Node's recursive `mkdir` does not do: it
 * reports a missing path on a read-only file system, and never returns below a folder such as /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined))?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    // Another window may have made the folder meanwhile.
    if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  });
  await syncDirectory(dirname(path));
}

const DIRECTORY_MODE = 0o755;

/**
 * Makes the missing directories above `path` with mode 0755, regardless of the umask. Resolves with those
 * that it made, outermost first.
 */
export async function makeParents(path: string): Promise<string[]> {
  const parent = dirname(path);
  const stats = await ifPresent(stat(parent));
  if (stats?.isDirectory()) return [];
  if (stats) throw new WorkspaceError('not-directory', parent, `not a directory: ${parent}`);
  const made = await makeParents(parent);
  return (await makeDirectory(parent)) ? [...made, parent] : made;
}

/**
 * Removes those of the directories that are still empty, innermost first. Call if the operation that needed
 * them failed.
 */
export async function removeMade(made: readonly string[]): Promise<void> {
  for (const path of [...made].reverse()) {
    // `rmdir` leaves a directory that another program has filled meanwhile.
    await rmdir(path).catch(() => undefined);
  }
}

/** Resolves with false if another process made the directory first. */
async function makeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, DIRECTORY_MODE);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  await chmod(path, DIRECTORY_MODE);
  // Otherwise, a power loss could lose the directory with everything that is moved into it.
  await syncDirectory(dirname(path));
  return true;
}
