import { link, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRange } from './read-file.ts';
import { syncDirectory } from './rename-into-place.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Gives the file at `path` the second name `aside`, so that it survives when another file takes its name.
 * Durable when this resolves.
 */
export async function keepCopyAs(path: string, aside: string): Promise<void> {
  const { size } = await stat(path);
  // Some file systems have no hard links, and need a copy.
  await link(path, aside).catch(() => replaceFile(aside, readRange(path, 0, size)));
  const file = await open(aside, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await syncDirectory(dirname(aside));
}
