import type { Stats } from 'node:fs';
import { errorCode } from './file-errors.ts';

/**
 * Gives a file its previous owner. Ignores a denial, because only root may do this. The file then belongs to
 * the current user, as with every editor that renames.
 */
export async function keepOwner(
  change: (user: number, group: number) => Promise<void>,
  { uid, gid }: Stats,
): Promise<void> {
  try {
    await change(uid, gid);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
  }
}
