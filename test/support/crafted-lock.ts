import { utimes, writeFile } from 'node:fs/promises';
import { type LockHolder, SILENT_MS, thisHolder } from '../../extension/node/fs/lock-holder.ts';

/** A process id that no process has. */
export const NOBODY = 2 ** 22 + 1;

/** The text of a lock of this process, but for `changes`. */
export async function craftedLock(changes: Partial<LockHolder>): Promise<string> {
  return JSON.stringify({ ...(await thisHolder('crafted')), ...changes });
}

/** Writes the lock of a process that cannot be seen from here. */
export async function writeForeignLock(path: string): Promise<void> {
  const elsewhere = { pid: NOBODY, host: 'elsewhere', boot: 'another', token: 'foreign' };
  await writeFile(path, await craftedLock(elsewhere));
}

/** Nothing was heard of its holder for longer than a living one is silent. */
export async function silence(path: string): Promise<void> {
  const then = new Date(Date.now() - SILENT_MS - 1_000);
  await utimes(path, then, then);
}
