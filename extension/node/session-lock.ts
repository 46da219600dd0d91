// One writer per session: a file that names its holder and is worthless once the holder is dead.
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { SessionBusyError } from '../core/ports/event-store.ts';

interface Holder {
  readonly pid: number;
  /** When the process began, so that a later process with the same id is not taken for it; empty where unknown. */
  readonly started: string;
  readonly token: string;
}

/** Takes the lock at `path`. Rejects with `SessionBusyError` while a living process holds it. Returns how to give it back. */
export async function lockSession(path: string): Promise<() => Promise<void>> {
  const mine: Holder = { pid: process.pid, started: await startOf(process.pid), token: randomUUID() };
  if (!(await tryCreate(path, mine))) {
    await removeStale(path);
    if (!(await tryCreate(path, mine))) throw new SessionBusyError('another process');
  }
  return async () => {
    if ((await readHolder(path))?.token === mine.token) await rm(path, { force: true });
  };
}

async function tryCreate(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Only one process may remove a dead holder's file, else the second would remove the first one's new lock. */
async function removeStale(path: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder && (await isAlive(holder))) throw new SessionBusyError(`process ${holder.pid}`);
  const guard = `${path}.takeover`;
  const mine: Holder = { pid: process.pid, started: await startOf(process.pid), token: randomUUID() };
  if (!(await tryCreate(guard, mine))) {
    const other = await readHolder(guard);
    if (other && (await isAlive(other))) throw new SessionBusyError(`process ${other.pid}`);
  }
  try {
    const current = await readHolder(path);
    if (!current || !(await isAlive(current))) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const value = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder> | null;
    if (typeof value?.pid !== 'number') return undefined;
    return { pid: value.pid, started: String(value.started ?? ''), token: String(value.token ?? '') };
  } catch {
    // Missing or half-written by a process that died: nobody holds it.
    return undefined;
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const started = await startOf(holder.pid);
  return started === '' || holder.started === '' || started === holder.started;
}

/** Linux: field 22 of /proc/PID/stat, the start in clock ticks since boot (proc(5)); elsewhere empty. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
