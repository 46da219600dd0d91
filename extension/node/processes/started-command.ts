import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { SpawnError } from '../../core/ports/shell.ts';
import { errorCode } from '../fs/file-errors.ts';
import { childEnvironment } from './process-environment.ts';
import { CALL_VARIABLE, type ProcessTree } from './process-tree.ts';
import type { ShellProgram } from './shell-program.ts';
import { watch } from './watchdog.ts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

export interface StartedCommand {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly tree: ProcessTree;
  /** The exit code; 128 + n if signal n ended the command. */
  readonly exited: Promise<number>;
  /** Resolves when the command has ended and its output is closed. */
  readonly closed: Promise<void>;
}

/** Rejects with `SpawnError`. */
export async function startCommand(
  program: ShellProgram,
  command: string,
  cwd: string,
): Promise<StartedCommand> {
  const mark = randomUUID();
  const watched = watch(mark);
  try {
    const child = spawnChild(program, command, cwd, mark);
    const tree = { leader: child.pid ?? 0, mark };
    if (child.pid !== undefined) watched.started(child.pid);
    child.once('exit', () => watched.ended());
    const exited = new Promise<number>((resolve) => {
      child.once('exit', (code, signal) => resolve(codeOfExit(code, signal)));
    });
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    await once(child, 'spawn');
    return { stdout: child.stdout, stderr: child.stderr, tree, exited, closed };
  } catch (error) {
    watched.ended();
    throw await toSpawnError(error, program, cwd);
  }
}

/**
 * Starts the command in its own process group, so that `endTree` can end its children. It has no terminal to
 * prompt on.
 */
function spawnChild(program: ShellProgram, command: string, cwd: string, mark: string): Child {
  return spawn(program.file, program.argumentsFor(command), {
    cwd,
    env: markedEnvironment(process.env, mark),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/** The environment of a command. If this process runs in a command of Harness, it carries the marks of both. */
export function markedEnvironment(environment: NodeJS.ProcessEnv, mark: string): NodeJS.ProcessEnv {
  const marks = [environment[CALL_VARIABLE], mark].filter((item) => item !== undefined).join(' ');
  return { ...childEnvironment(environment), [CALL_VARIABLE]: marks };
}

/** 128 + n if signal n ended the process. */
export function codeOfExit(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}

export async function toSpawnError(error: unknown, program: ShellProgram, cwd: string): Promise<SpawnError> {
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) return new SpawnError(`there is no folder ${cwd}`, { cause: error });
  if (errorCode(error) === 'ENOENT') return new SpawnError(`there is no ${program.file}`, { cause: error });
  if (errorCode(error) === 'E2BIG') return new SpawnError('the command is too long', { cause: error });
  return new SpawnError(error instanceof Error ? error.message : String(error), { cause: error });
}
