import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
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
