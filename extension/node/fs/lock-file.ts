// A file that names the process that holds it, and is worthless once that process is dead.

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

/** Of locks of this process whose files were not removed. */
const givenBack = new Set<string>();

/** A living process holds the lock. */
export class LockedError extends Error {
  constructor(readonly holder: string) {
    super(`held by ${holder}`);
  }
}

/** Takes the lock at `path`. Rejects with `LockedError` while a living process holds it. */
export async function takeLock(path: string): Promise<ProcessLock> {
  // Before anything is written: also on a full disk it is told who holds it.
  await removeStale(path);
  const lock = await tryTake(path);
  if (lock) return lock;
  await isStale(path);
  throw new LockedError(say('another process'));
}

/** A living process holds the lock at `path`. */
export async function isLocked(path: string): Promise<boolean> {
  const found = await readLock(path);
  return found !== undefined && (await lives(found));
}

/** What tells a file from another one, and from itself at another time. */
interface Look {
  readonly ino: number;
  readonly mtimeMs: number;
}

/** A lock that this process has taken. Another one takes it away where it sees no process and hears nothing for long. */
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

  /** It is held, and nobody can take it away for a while. Costs a look at the file. */
  get isFresh(): boolean {
    return Math.abs(Date.now() - this.#look.mtimeMs) < SILENT_MS / 2 && this.#isAsLeft();
  }

  /** Lets others hear of this process. Resolves with false where the lock is held no more. */
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
      // It may have been moved elsewhere.
      if (!this.isFresh && !(await this.beat())) return;
      await rm(this.#path, { force: true });
      givenBack.delete(this.#token);
    } catch {
      // The file stays, and is worthless: here since that is known, elsewhere when this process has ended.
    }
  }

  #isAsLeft(): boolean {
    try {
      // At once: a turn of the thread pool would cost more than the write that waits for it.
      const { ino, mtimeMs } = statSync(this.#path);
      return ino === this.#look.ino && mtimeMs === this.#look.mtimeMs;
    } catch {
      return false;
    }
  }

  async #beat(): Promise<boolean> {
    if (!(await this.#isOurs())) return false;
    // Whoever is about to take it away finds it fresh, or has it already.
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

/** Undefined where the file is there already. */
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

/** A file system without hard links. */
const NO_LINKS = ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** The file is written before it gets its name, so that nobody finds it without its holder. */
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

/** Rejects with `LockedError` where its holder lives. */
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
 * Only one process may take a lock away, else the second would take away the first one's new lock. Undefined while
 * another one is about to.
 */
async function tryGuard(path: string): Promise<ProcessLock | undefined> {
  const guard = `${path}.takeover`;
  const found = await readLock(guard);
  // Whoever died in the middle of a takeover has left that, too.
  if (found && !(await lives(found))) await rm(guard, { force: true });
  return tryTake(guard);
}

/** False where there is no file: it was given back. Rejects with `LockedError` where its holder lives. */
async function isStale(path: string): Promise<boolean> {
  const found = await readLock(path);
  if (!found) return false;
  if (found.holder && (await lives(found))) throw new LockedError(await describeHolder(found.holder));
  return true;
}

interface FoundLock {
  /** Undefined where the file is damaged. */
  readonly holder: LockHolder | undefined;
  /** Milliseconds since the epoch. */
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
