import type { Stats } from 'node:fs';
import { chmod, lstat } from 'node:fs/promises';
import { WorkspaceError } from '../../core/ports/workspace.ts';

/** What the owner of a directory needs to go through it and to change what is in it. */
const DIRECTORY = 0o700;
const FILE = 0o400;

let last: Promise<unknown> = Promise.resolve();

/**
 * Does `work` where the modes of the user's own `paths`, the outermost first, are against that, too: they are opened for
 * as long, and then get their modes back. Rejects as `work` does.
 */
export async function withOwnerAccess<Result>(
  paths: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isDenied(error) || process.platform === 'win32') throw error;
    // One after another: else one would close what another has opened.
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

/** Resolves with what takes that back; with nothing where nothing was to do, or where it is somebody else's. */
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

/** What has taken its place meanwhile has a mode of its own. */
async function close(path: string, { ino, mode }: Stats): Promise<void> {
  if ((await lstat(path)).ino === ino) await chmod(path, mode & 0o7777);
}

function isDenied(error: unknown): boolean {
  return WorkspaceError.is(error, 'permission-denied');
}
