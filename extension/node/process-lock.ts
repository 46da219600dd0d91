// A file that names the process that holds it, and is worthless once that process is dead.

import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { say } from '../protocol/say.ts';
import { errorCode, ifPresent } from './file-errors.ts';
import { isRunning } from './is-running.ts';
import { discard, temporaryBeside } from './temporary-files.ts';

interface Holder {
  readonly pid: number;
  /** When the process began, so that a later process with the same id is not taken for it; empty where unknown. */
  readonly started: string;
  /** When the lock was taken, milliseconds since the epoch; 0 where unknown. */
  readonly since: number;
  readonly token: string;
}

/** Of locks of this process whose files could not be removed. */
const givenBack = new Set<string>();

/** A living process holds the lock. */
export class LockedError extends Error {
  constructor(readonly holder: string) {
    super(`held by ${holder}`);
  }
}

/** Takes the lock at `path`. Rejects with `LockedError` while a living process holds it. Returns how to give it back. */
export async function takeLock(path: string): Promise<() => Promise<void>> {
  const release = await tryTake(path);
  if (release) return release;
  await removeStale(path);
  const second = await tryTake(path);
  if (!second) throw new LockedError(say('another process'));
  return second;
}

/** A living process holds the lock at `path`. */
export async function isLocked(path: string): Promise<boolean> {
  const holder = parseHolder(await readLock(path));
  return holder !== undefined && (await isAlive(holder));
}

/** Undefined where the file is there already. */
async function tryTake(path: string): Promise<(() => Promise<void>) | undefined> {
  const token = randomUUID();
  const holder: Holder = { pid: process.pid, started: await startOf(process.pid), since: Date.now(), token };
  if (!(await tryCreate(path, JSON.stringify(holder)))) return undefined;
  return async () => {
    givenBack.add(token);
    try {
      if (parseHolder(await readLock(path))?.token === token) await rm(path, { force: true });
      givenBack.delete(token);
    } catch {
      // The file stays, and is worthless: here since that is known, elsewhere when this process has ended.
    }
  };
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

/** Only one process may remove a dead holder's file, else the second would remove the first one's new lock. */
async function removeStale(path: string): Promise<void> {
  if (!(await isStale(path))) return;
  const guard = `${path}.takeover`;
  // Whoever died in the middle of a takeover has left that, too.
  if (await isStale(guard)) await rm(guard, { force: true });
  const release = await tryTake(guard);
  if (!release) throw new LockedError(say('another process'));
  try {
    if (await isStale(path)) await rm(path, { force: true });
  } finally {
    await release();
  }
}

/** False where there is no file: it was given back. Rejects with `LockedError` where its holder lives. */
async function isStale(path: string): Promise<boolean> {
  const text = await readLock(path);
  if (text === undefined) return false;
  const holder = parseHolder(text);
  if (holder && (await isAlive(holder))) throw new LockedError(say('process {0}', holder.pid));
  return true;
}

function readLock(path: string): Promise<string | undefined> {
  return ifPresent(readFile(path, 'utf8'));
}

/** Undefined where nobody is named: the file is damaged. */
function parseHolder(text = ''): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null;
    if (typeof value?.pid !== 'number') return undefined;
    const { pid, started = '', since = 0, token = '' } = value;
    return { pid, started: String(started), since: Number(since), token: String(token) };
  } catch {
    // Half-written by a process that died: nobody holds it.
    return undefined;
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  if (givenBack.has(holder.token) || !isRunning(holder.pid)) return false;
  const started = await startOf(holder.pid);
  if (started !== '' && holder.started !== '') return started === holder.started;
  return holder.since === 0 || holder.since > startOfSystem() - CLOCK_ERROR_MS;
}

/** By how much a clock may be set between taking a lock and looking at it. */
const CLOCK_ERROR_MS = 60_000;

/** Milliseconds since the epoch: no process that took a lock before is alive. */
function startOfSystem(): number {
  return Date.now() - uptime() * 1000;
}

/** Linux: field 22 of /proc/PID/stat, the start in clock ticks since boot (proc(5)); elsewhere empty. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    // Another system, or the process is gone.
    return '';
  }
}
