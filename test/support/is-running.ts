import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Whether this file has its first line: a shell makes the file before it writes into it. */
export function isWritten(file: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').endsWith('\n');
}

/** Whether the process whose id is in this file is there. */
export async function isRunning(file: string): Promise<boolean> {
  return isThere(Number(await readFile(file, 'utf8')));
}

export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // Nothing has this id any more.
    return false;
  }
}
