import { readFile } from 'node:fs/promises';

/** Whether the process whose id is in this file is there. */
export async function isRunning(file: string): Promise<boolean> {
  const pid = Number(await readFile(file, 'utf8'));
  try {
    return process.kill(pid, 0);
  } catch {
    // Nothing has this id any more.
    return false;
  }
}
