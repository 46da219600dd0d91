import type { Stats } from 'node:fs';
import { chmod, lstat } from 'node:fs/promises';
import { WorkspaceError } from '../../core/ports/workspace.ts';

/** Mode bits that the owner needs to enter a directory and to change its entries. */
const DIRECTORY = 0o700;
const FILE = 0o400;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `work`. If it is denied, gives the owner access to the user's own `paths`, runs `work` again, and
 * restores the modes. `paths` begin with the outermost. Rejects as `work` does.
 */
export async function withOwnerAccess<Result>(
  paths: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isDenied(error) || process.platform === 'win32') throw error;
    // One at a time, because otherwise one call would close what another has opened.
    const done = last.then(() => openedInTurn(paths, work));
    last = done.catch(() => undefined);
    return done;
  }
}

async function openedInTurn<Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const closed: (() => Promise<void>)[] = [];
  try {
    for (const each of paths) {
      const close = await open(each);
      if (close) closed.unshift(close);
    }
    return await work();
  } finally {
    for (const close of closed) await close().catch(() => undefined);
  }
}

/**
 * Resolves with a function that restores the mode. Resolves with undefined if nothing needs a change, or
 * another user owns the path.
 */
async function open(path: string): Promise<(() => Promise<void>) | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats || !(stats.isDirectory() || stats.isFile())) return undefined;
  const needed = stats.isDirectory() ? DIRECTORY : FILE;
  const mode = stats.mode & 0o7777;
  if ((mode & needed) === needed) return undefined;
  return chmod(path, mode | needed).then(
    () => () => close(path, stats),
    () => undefined,
  );
}

/** Leaves another file that has taken the path, because it has its own mode. */
async function close(path: string, { ino, mode }: Stats): Promise<void> {
  if ((await lstat(path)).ino === ino) await chmod(path, mode & 0o7777);
}

function isDenied(error: unknown): boolean {
  return WorkspaceError.is(error, 'permission-denied');
}
