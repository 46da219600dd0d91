// Who holds a lock, and whether they still live.

import { readFile, readlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { say } from '../../protocol/say.ts';
import { isRunning } from './is-running.ts';

/** Where process ids mean the same. */
interface ProcessSpace {
  readonly host: string;
  /** Linux: the machine, which another of the same name is not; empty where it has no id. */
  readonly machine: string;
  /** Linux: the boot, and the namespace of process ids (a container has its own); elsewhere empty. */
  readonly boot: string;
  readonly namespace: string;
}

export interface LockHolder extends ProcessSpace {
  readonly pid: number;
  /** When the process began, so that a later process with the same id is not taken for it; empty where unknown. */
  readonly started: string;
  /** When the lock was taken, milliseconds since the epoch; 0 where unknown. */
  readonly since: number;
  readonly token: string;
}

/** A holder that cannot be seen from here, and that was not seen for so long, is gone. Clocks of two machines may differ by the half of it. */
export const SILENT_MS = 90_000;

/** This process, which takes a lock now. */
export async function thisHolder(token: string): Promise<LockHolder> {
  const started = await startOf(process.pid);
  return { pid: process.pid, started, since: Date.now(), token, ...(await thisSpace()) };
}

/** Undefined where nobody is named: half-written by a process that died, nobody holds it. */
export function parseHolder(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockHolder> | null;
    if (typeof value?.pid !== 'number') return undefined;
    const textOf = (name: keyof LockHolder) => String(value[name] ?? '');
    return {
      pid: value.pid,
      started: textOf('started'),
      since: Number(value.since ?? 0),
      token: textOf('token'),
      host: textOf('host'),
      machine: textOf('machine'),
      boot: textOf('boot'),
      namespace: textOf('namespace'),
    };
  } catch {
    return undefined;
  }
}

/** `lastSeen`, milliseconds since the epoch. */
export async function isAlive(holder: LockHolder, lastSeen: number): Promise<boolean> {
  const here = await thisSpace();
  if (isEarlierBoot(holder, here)) return false;
  if (!isSameSpace(holder, here)) return Math.abs(Date.now() - lastSeen) < SILENT_MS;
  if (!isRunning(holder.pid)) return false;
  const started = await startOf(holder.pid);
  if (started !== '' && holder.started !== '') return started === holder.started;
  return holder.since === 0 || holder.since > startOfSystem() - CLOCK_ERROR_MS;
}

export async function describeHolder(holder: LockHolder): Promise<string> {
  const isHere = isSameSpace(holder, await thisSpace());
  return isHere || holder.host === ''
    ? say('process {0}', holder.pid)
    : say('process {0} on {1}', holder.pid, holder.host);
}

/** Two systems may have one name, and a container another name than the system that it sees the processes of. */
function isSameSpace(one: ProcessSpace, other: ProcessSpace): boolean {
  if (one.boot === '' && other.boot === '') return one.host === other.host;
  return one.boot === other.boot && one.namespace === other.namespace;
}

/** The machine was started again since, and nothing on it has lived so long. */
function isEarlierBoot(one: ProcessSpace, here: ProcessSpace): boolean {
  const isSameMachine = one.machine !== '' && one.machine === here.machine && one.host === here.host;
  return isSameMachine && one.boot !== '' && one.boot !== here.boot;
}

let space: Promise<ProcessSpace> | undefined;

function thisSpace(): Promise<ProcessSpace> {
  space ??= readSpace();
  return space;
}

/** Linux: machine-id(5), random(4) and namespaces(7). */
async function readSpace(): Promise<ProcessSpace> {
  const unknown = () => '';
  const machine = await readFile('/etc/machine-id', 'utf8').catch(unknown);
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(unknown);
  const namespace = await readlink('/proc/self/ns/pid').catch(unknown);
  return { host: hostname(), machine: machine.trim(), boot: boot.trim(), namespace };
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
