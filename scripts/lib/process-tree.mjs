// Child processes that end with this process. Each child leads a process group. Ending the group ends only
// the child and what it started, because groups are addressed by id, never by name.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Exit */
/** @typedef {{ pid: number, exited: Promise<Exit>, stop(): Promise<void> }} Process */

const onWindows = process.platform === 'win32';
const guardScript = fileURLToPath(new URL('guard.mjs', import.meta.url));

/** @type {Set<() => Promise<void>>} Work that must end before this process may end. */
const cleanups = new Set();
/** @type {Set<number>} The groups to kill if this process ends without its cleanup. */
const unguardedGroups = new Set();

/**
 * Registers work for Ctrl+C and for other signals to stop.
 * @param {() => Promise<void>} cleanup
 * @returns {() => void} undo
 */
export function onShutdown(cleanup) {
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}

/**
 * Starts a command. Its output goes to `onOutput`, or to this process's terminal without it. A `guarded`
 * command ends even if this process is killed; the folder of that name is removed at its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{
 *   cwd?: string, env?: NodeJS.ProcessEnv, onOutput?: (text: string) => void,
 *   guarded?: string, graceMilliseconds?: number,
 * }} [options]
 * @returns {Promise<Process>} rejects when the command cannot be started
 */
export async function startProcess(command, args, options = {}) {
  const { cwd, env = process.env, onOutput, guarded, graceMilliseconds = 10_000 } = options;
  const line = guarded ? [process.execPath, guardScript, guarded, command, ...args] : [command, ...args];
  const output = onOutput ? 'pipe' : 'inherit';
  const stdio = /** @type {import('node:child_process').StdioOptions} */ ([
    guarded ? 'pipe' : 'ignore',
    output,
    output,
  ]);
  const child = spawn(line[0] ?? '', line.slice(1), { cwd, env, detached: !onWindows, stdio });
  if (onOutput) {
    child.stdout?.setEncoding('utf8').on('data', onOutput);
    child.stderr?.setEncoding('utf8').on('data', onOutput);
  }
  const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(`Cannot start ${command}: ${error.message}`)));
  });
  const pid = /** @type {number} */ (child.pid);
  if (!guarded) unguardedGroups.add(pid);
  const stop = () => stopGroup(pid, exited, graceMilliseconds);
  const forget = onShutdown(stop);
  exited.then(() => {
    unguardedGroups.delete(pid);
    forget();
  });
  return { pid, exited, stop };
}

/**
 * @param {number} pid
 * @param {Promise<Exit>} exited
 * @param {number} graceMilliseconds
 */
async function stopGroup(pid, exited, graceMilliseconds) {
  signalGroup(pid, 'SIGTERM');
  const hurry = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMilliseconds);
  await exited;
  clearTimeout(hurry);
  signalGroup(pid, 'SIGKILL');
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  try {
    if (onWindows) spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
    else process.kill(-pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * The exit code that a shell reports for a process: its own, or 128 + the signal that ended it.
 * @param {Exit} exit
 */
export function exitCodeOf({ code, signal }) {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}

let shuttingDown = false;

/** A failure during the shutdown is a result of the shutdown. */
export const isShuttingDown = () => shuttingDown;

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, async () => {
    // A terminal and npm both pass Ctrl+C on, so it arrives more than once.
    if (shuttingDown) return;
    shuttingDown = true;
    await Promise.allSettled([...cleanups].map((cleanup) => cleanup()));
    process.exit(exitCodeOf({ code: null, signal }));
  });
}

process.on('exit', () => {
  for (const pid of unguardedGroups) signalGroup(pid, 'SIGKILL');
});
