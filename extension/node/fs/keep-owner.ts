import type { Stats } from 'node:fs';
import { errorCode } from './file-errors.ts';

/** Only root can give a file away; for anybody else it becomes their own, as with every editor that renames. */
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
