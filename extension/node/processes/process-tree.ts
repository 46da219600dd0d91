// Ends a command with everything that it started. Finds its children by their process group. Finds children
// that left the group (`setsid`) by a mark in their environment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The environment variable that contains the mark. */
export const CALL_VARIABLE = 'HARNESS_CALL';

export interface ProcessTree {
  /** The id of the command's process and of its process group. */
  readonly leader: number;
  /** A part of `HARNESS_CALL` in the environment of this command's processes only. */
  readonly mark: string;
}

const GRACE_MS = 1000;
const KILL_MS = 700;
const POLL_MS = 25;

/** Sends TERM, and KILL to processes that are left after a second. Resolves within two seconds. */
export async function endTree(tree: ProcessTree): Promise<void> {
  if (process.platform === 'win32') return endOnWindows(tree.leader);
  await signalTree(tree, 'SIGTERM');
  if (await isGoneWithin(tree, GRACE_MS, () => undefined)) return;
  await isGoneWithin(tree, KILL_MS, () => signalTree(tree, 'SIGKILL'));
}

/**
 * Polls until the tree is gone. Calls `meanwhile` in between, because a process may have just been forked.
 */
async function isGoneWithin(
  tree: ProcessTree,
  milliseconds: number,
  meanwhile: () => Promise<void> | undefined,
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  do {
    if ((await members(tree)).length === 0) return true;
    await meanwhile();
    await sleep(POLL_MS);
  } while (performance.now() < end);
  return false;
}

/** Signals each process once, because a command that cleans up on TERM would do so twice. */
async function signalTree(tree: ProcessTree, name: NodeJS.Signals): Promise<void> {
  send(-tree.leader, name);
  for (const { pid, isInGroup } of await members(tree)) if (!isInGroup) send(pid, name);
}

function send(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // the process is gone, or belongs to another user
  }
}

interface Member {
  readonly pid: number;
  /** The process has not left the command's process group. */
  readonly isInGroup: boolean;
}

/** Returns the processes of the tree that still run. Without /proc, checks only whether the group does. */
async function members(tree: ProcessTree): Promise<Member[]> {
  if (process.platform !== 'linux')
    return send(-tree.leader, 0) ? [{ pid: tree.leader, isInGroup: true }] : [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => memberOf(tree, pid)));
  return found.filter((member) => member !== undefined);
}

async function memberOf(tree: ProcessTree, pid: string): Promise<Member | undefined> {
  const status = await readProc(pid, 'stat');
  // "PID (NAME) STATE PARENT GROUP …", where NAME may contain any character
  const [state, , group] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return undefined;
  const isInGroup = Number(group) === tree.leader;
  if (!isInGroup && !(await readProc(pid, 'environ')).includes(tree.mark)) return undefined;
  return { pid: Number(pid), isInGroup };
}

/** Resolves with an empty text if the process is gone or belongs to another user. */
async function readProc(pid: string, file: 'stat' | 'environ'): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
}

async function endOnWindows(pid: number): Promise<void> {
  const killer = spawn(
    `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\taskkill.exe`,
    ['/PID', String(pid), '/T', '/F'],
    { stdio: 'ignore', windowsHide: true },
  );
  await once(killer, 'exit').catch(() => undefined); // rejects if `taskkill` cannot be started
}
