import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './file-errors.ts';

/**
 * Milliseconds between tries. Windows rejects a rename while a virus scanner or an indexer has the file open.
 */
const WINDOWS_DELAYS = [20, 50, 100, 200];

/** Renames, and makes the new name durable. */
export async function renameIntoPlace(source: string, destination: string): Promise<void> {
  await patientRename(source, destination);
  await syncDirectory(dirname(destination));
}

async function patientRename(source: string, destination: string): Promise<void> {
  for (const delay of process.platform === 'win32' ? WINDOWS_DELAYS : []) {
    try {
      return await rename(source, destination);
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '')) throw error;
      await sleep(delay);
    }
  }
  await rename(source, destination);
}

/** Makes the names in a directory durable, if the system can. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows and some file systems cannot do this. The rename itself is done.
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
