// Describes the holder of a lock, and determines whether it still lives.

import { readFile, readlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { say } from '../../protocol/say.ts';
import { isRunning } from './is-running.ts';
import { startTicksOf } from './process-start.ts';

/** The system in which a process id is unique. */
interface ProcessSpace {
  readonly host: string;
  /** Linux: the machine id, because two machines may have one name; empty if there is none. */
  readonly machine: string;
  /**
   * Linux: the boot id. `namespace` is that of process ids; a container has its own. Both are empty on other
   * systems.
   */
  readonly boot: string;
  readonly namespace: string;
}

export interface LockHolder extends ProcessSpace {
  readonly pid: number;
  /** When the process began, because a later process may have the same id; empty if unknown. */
  readonly started: string;
  /** When the process took the lock, in milliseconds since the epoch; 0 if unknown. */
  readonly since: number;
  readonly token: string;
}

/**
 * Milliseconds without a beat after which a holder that this process cannot see counts as dead. Clocks of two
 * machines may differ by half of that.
 */
export const SILENT_MS = 90_000;

/** Describes this process as the holder of a lock that it takes now. */
export async function thisHolder(token: string): Promise<LockHolder> {
  const started = await startTicksOf(process.pid);
  return { pid: process.pid, started, since: Date.now(), token, ...(await thisSpace()) };
}

/** Returns undefined if the text names no holder, because the process died while it wrote the text. */
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

/** `lastSeen` is the time of the holder's last beat, in milliseconds since the epoch. */
export async function isAlive(holder: LockHolder, lastSeen: number): Promise<boolean> {
  const here = await thisSpace();
  if (isEarlierBoot(holder, here)) return false;
  if (!isSameSpace(holder, here)) return Math.abs(Date.now() - lastSeen) < SILENT_MS;
  if (!isRunning(holder.pid)) return false;
  const started = await startTicksOf(holder.pid);
  if (started !== '' && holder.started !== '') return started === holder.started;
  return holder.since === 0 || holder.since > startOfSystem() - CLOCK_ERROR_MS;
}

export async function describeHolder(holder: LockHolder): Promise<string> {
  const isHere = isSameSpace(holder, await thisSpace());
  return isHere || holder.host === ''
    ? say('process {0}', holder.pid)
    : say('process {0} on {1}', holder.pid, holder.host);
}

/**
 * Compares host names only without boot ids. Two systems may have one name, and a container may have another
 * name than its host.
 */
function isSameSpace(one: ProcessSpace, other: ProcessSpace): boolean {
  if (one.boot === '' && other.boot === '') return one.host === other.host;
  return one.boot === other.boot && one.namespace === other.namespace;
}

/** Whether the machine was restarted since. No process survives that. */
function isEarlierBoot(one: ProcessSpace, here: ProcessSpace): boolean {
  const isSameMachine = one.machine !== '' && one.machine === here.machine && one.host === here.host;
  return isSameMachine && one.boot !== '' && one.boot !== here.boot;
}

let space: Promise<ProcessSpace> | undefined;

function thisSpace(): Promise<ProcessSpace> {
  space ??= readSpace();
  return space;
}

/** Sources on Linux: machine-id(5), random(4) and namespaces(7). */
async function readSpace(): Promise<ProcessSpace> {
  const unknown = () => '';
  const machine = await readFile('/etc/machine-id', 'utf8').catch(unknown);
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(unknown);
  const namespace = await readlink('/proc/self/ns/pid').catch(unknown);
  return { host: hostname(), machine: machine.trim(), boot: boot.trim(), namespace };
}

/** Milliseconds by which a clock may be set between taking a lock and checking it. */
const CLOCK_ERROR_MS = 60_000;

/** The boot time in milliseconds since the epoch. No process that took a lock earlier is alive. */
function startOfSystem(): number {
  return Date.now() - uptime() * 1000;
}
