// A child process whose output is logged: to a file if one is given, and the last lines for messages.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startProcess } from './process-tree.mjs';

const tailLength = 6000;

/**
 * @typedef {import('./process-tree.mjs').Process & {
 *   tail(): string,
 *   waitForOutput(pattern: RegExp, timeoutMilliseconds: number): Promise<RegExpMatchArray>,
 * }} LoggedProcess
 */

/**
 * @param {string} what names the process in messages, as in "The VS Code server"
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, guarded?: string, logFile?: string }} [options]
 * @returns {Promise<LoggedProcess>}
 */
export async function startLogged(what, command, args, { cwd, env, guarded, logFile } = {}) {
  if (logFile) await mkdir(path.dirname(logFile), { recursive: true });
  const log = logFile ? createWriteStream(logFile, { flags: 'a' }) : undefined;
  let recent = '';
  /** @type {Set<() => void>} */
  const listeners = new Set();
  const child = await startProcess(command, args, {
    cwd,
    env,
    guarded,
    onOutput(text) {
      recent = (recent + text).slice(-tailLength);
      log?.write(text);
      for (const listener of listeners) listener();
    },
  });
  child.exited.then(() => log?.end());

  const tail = () => recent.trim() || '(no output)';
  const ending = () => `Its last output:\n${tail()}${logFile ? `\nThe whole log: ${logFile}` : ''}`;

  /** @type {LoggedProcess['waitForOutput']} */
  async function waitForOutput(pattern, timeoutMilliseconds) {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          settle(() =>
            reject(new Error(`${what} was not ready after ${timeoutMilliseconds / 1000} s. ${ending()}`)),
          ),
        timeoutMilliseconds,
      );
      const look = () => {
        const match = recent.match(pattern);
        if (match) settle(() => resolve(match));
      };
      /** @param {() => void} outcome */
      const settle = (outcome) => {
        clearTimeout(timer);
        listeners.delete(look);
        outcome();
      };
      listeners.add(look);
      child.exited.then(({ code, signal }) =>
        settle(() =>
          reject(new Error(`${what} ended early (${signal ?? `exit code ${code}`}). ${ending()}`)),
        ),
      );
      look();
    });
  }

  return { ...child, tail, waitForOutput };
}

/**
 * Runs a command to its end without printing its output. If it fails, the error contains its last output.
 * @param {string} what names the step in messages, as in "Installing code-server"
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMilliseconds?: number }} [options]
 * @returns {Promise<string>} the (end of the) output
 */
export async function runCommand(what, command, args, { cwd, env, timeoutMilliseconds = 600_000 } = {}) {
  const child = await startLogged(what, command, args, { cwd, env });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.stop();
  }, timeoutMilliseconds);
  const { code, signal } = await child.exited;
  clearTimeout(timer);
  if (code === 0) return child.tail();
  const reason = timedOut
    ? `took longer than ${timeoutMilliseconds / 1000} s`
    : `failed (${signal ?? `exit code ${code}`})`;
  throw new Error(`${what} ${reason}: ${command} ${args.join(' ')}\n${child.tail()}`);
}
