// A lock file names the process that holds the lock. It has no effect after that process has died.

import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { say } from '../../protocol/say.ts';
import { errorCode, ifPresent } from './file-errors.ts';
import {
  describeHolder,
  isAlive,
  type LockHolder,
  parseHolder,
  SILENT_MS,
  thisHolder,
} from './lock-holder.ts';
import { discard, temporaryBeside } from './temporary-files.ts';

/** Tokens of locks that this process released, and whose files may still exist. */
const givenBack = new Set<string>();

/** A living process holds the lock. */
export class LockedError extends Error {
  constructor(readonly holder: string) {
    super(`held by ${holder}`);
  }
}

/** Takes the lock at `path`. Rejects with `LockedError` while a living process holds it. */
export async function takeLock(path: string): Promise<ProcessLock> {
  // Comes before the first write, so that even on a full disk the error names the holder.
  await removeStale(path);
  const lock = await tryTake(path);
  if (lock) return lock;
  await isStale(path);
  throw new LockedError(say('another process'));
}

/** Whether a living process holds the lock at `path`. */
export async function isLocked(path: string): Promise<boolean> {
  const found = await readLock(path);
  return found !== undefined && (await lives(found));
}

/** Identifies a file and its last change. */
interface Look {
  readonly ino: number;
  readonly mtimeMs: number;
}

/**
 * A lock that this process has taken. Another process takes the lock if it cannot see this one and finds no
 * beat for `SILENT_MS`.
 */
export class ProcessLock {
  readonly #path: string;
  readonly #text: string;
  readonly #token: string;
  #look: Look;
  #beating: Promise<boolean> | undefined;

  constructor(path: string, { token, text, look }: { token: string; text: string; look: Look }) {
    this.#path = path;
    this.#text = text;
    this.#token = token;
    this.#look = look;
  }

  /** Whether this process holds the lock and no other process may take it soon. Reads the file's status. */
  get isFresh(): boolean {
    return Math.abs(Date.now() - this.#look.mtimeMs) < SILENT_MS / 2 && this.#isAsLeft();
  }

  /**
   * Updates the file's time, which shows other processes that this one lives. Resolves with false if the lock
   * is lost, or another process is taking it.
   */
  beat(): Promise<boolean> {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  /** Never rejects. */
  async release(): Promise<void> {
    givenBack.add(this.#token);
    try {
      // The file may have moved, or another process may hold the lock.
      if (!this.isFresh && !(await this.beat())) return;
      await rm(this.#path, { force: true });
      givenBack.delete(this.#token);
    } catch {
      // The file stays. This process ignores it because of `givenBack`, and others ignore it after this
      // process has ended.
    }
  }

  #isAsLeft(): boolean {
    try {
      // Synchronous, because a turn of the thread pool would cost more than the write that waits for it.
      const { ino, mtimeMs } = statSync(this.#path);
      return ino === this.#look.ino && mtimeMs === this.#look.mtimeMs;
    } catch {
      return false;
    }
  }

  async #beat(): Promise<boolean> {
    if (!(await this.#isOurs())) return false;
    // No other process can take the lock while this one holds the guard. The second check finds an earlier
    // takeover.
    const guard = await tryGuard(this.#path);
    if (!guard) return false;
    try {
      if (!(await this.#isOurs())) return false;
      await writeFile(this.#path, this.#text, { flag: 'r+' });
      this.#look = await stat(this.#path);
      return true;
    } finally {
      await guard.release();
    }
  }

  async #isOurs(): Promise<boolean> {
    return (await readLock(this.#path))?.holder?.token === this.#token;
  }
}

/** Resolves with undefined if the file already exists. */
async function tryTake(path: string): Promise<ProcessLock | undefined> {
  const token = randomUUID();
  const text = JSON.stringify(await thisHolder(token));
  if (!(await tryCreate(path, text))) return undefined;
  try {
    return new ProcessLock(path, { token, text, look: await stat(path) });
  } catch (error) {
    givenBack.add(token);
    await discard(path);
    throw error;
  }
}

/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Writes the file before it gets its name, so that no process finds it without a holder. Resolves with false
 * if the file already exists.
 */
async function tryCreate(path: string, text: string): Promise<boolean> {
  const temporary = temporaryBeside(path);
  const writeNew = (name: string) => writeFile(name, text, { flag: 'wx', mode: 0o600 });
  try {
    await writeNew(temporary);
    await link(temporary, path).catch((error: unknown) => {
      if (!NO_LINKS.includes(errorCode(error) ?? '')) throw error;
      return writeNew(path);
    });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await discard(temporary);
  }
}

/**
 * Removes the file of a dead holder. Rejects with `LockedError` if the holder lives, or if another process is
 * removing the file.
 */
async function removeStale(path: string): Promise<void> {
  if (!(await isStale(path))) return;
  const guard = await tryGuard(path);
  if (!guard) throw new LockedError(say('another process'));
  try {
    if (await isStale(path)) await rm(path, { force: true });
  } finally {
    await guard.release();
  }
}

/**
 * Takes the guard of the lock at `path`; undefined while another process has it. Without the guard, two
 * processes could find a stale lock, and the second would remove the first one's new lock.
 */
async function tryGuard(path: string): Promise<ProcessLock | undefined> {
  const guard = `${path}.takeover`;
  const found = await readLock(guard);
  // A process that died during a takeover leaves its guard file.
  if (found && !(await lives(found))) await rm(guard, { force: true });
  return tryTake(guard);
}

/** Resolves with false if there is no file. Rejects with `LockedError` if the holder lives. */
async function isStale(path: string): Promise<boolean> {
  const found = await readLock(path);
  if (!found) return false;
  if (found.holder && (await lives(found))) throw new LockedError(await describeHolder(found.holder));
  return true;
}

interface FoundLock {
  /** Undefined if the file is damaged. */
  readonly holder: LockHolder | undefined;
  /** When the holder last wrote the file, in milliseconds since the epoch. */
  readonly lastSeen: number;
}

async function readLock(path: string): Promise<FoundLock | undefined> {
  const text = await ifPresent(readFile(path, 'utf8'));
  const found = text !== undefined && (await ifPresent(stat(path)));
  return found ? { holder: parseHolder(text), lastSeen: found.mtimeMs } : undefined;
}

async function lives({ holder, lastSeen }: FoundLock): Promise<boolean> {
  return holder !== undefined && !givenBack.has(holder.token) && (await isAlive(holder, lastSeen));
}
