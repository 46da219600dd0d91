import { existsSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Folders that are missing now, from `folder` upwards, go again when this process ends, where nothing came into them. */
export function removeEmptyAtExit(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.push(path);
  process.once('exit', () => missing.forEach(removeEmpty));
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it, or it was not made.
  }
}
