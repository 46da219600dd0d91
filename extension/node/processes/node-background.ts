import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { withoutFirstWord, withoutLastWord } from '../../core/base/text/truncate.ts';
import type {
  BackgroundEnd,
  BackgroundProcess,
  BackgroundShell,
  OutputPart,
} from '../../core/ports/background-shell.ts';
import { startOfProcess } from '../fs/process-start.ts';
import { firstWholeCharacter, lastWholeCharacter } from './output-buffer.ts';
import { endTree } from './process-tree.ts';
import { type ShellProgram, shellProgram } from './shell-program.ts';
import { codeOfExit, markedEnvironment, toSpawnError } from './started-command.ts';

/**
 * Runs the command when it reads a line on descriptor 3, and writes its exit code into the file `$0`, so that a
 * later process can know it. Ends unheard if the descriptor closes first. The traps let it outlive what ends
 * the command. Its own error output, where a shell reports signals, is dropped.
 */
const WRAPPER = `
trap : TERM INT HUP
read -r go <&3 || exit 125
exec 3<&- 4>&2 2>/dev/null
(exec "$@" 2>&4 4>&-)
code=$?
echo "$code" > "$0.new" && mv "$0.new" "$0"
exit "$code"
`;

/** Milliseconds between two looks at a process that another one started. */
const LOOK_MS = 1_000;
/** Of a part that does not fit, the share for its beginning. */
const HEAD = 0.25;

/**
 * Runs commands that write into a file, in process groups of their own. On Windows there is no wrapper: the
 * command begins at once, and it ends with this process.
 */
export class NodeBackground implements BackgroundShell {
  readonly #program: ShellProgram;
  readonly #endsOnLeave: boolean;
  /** The exits of processes that this one started, by mark. */
  readonly #children = new Map<string, Promise<BackgroundEnd>>();
  readonly #waiting = new Map<string, ChildProcess>();
  /** Marks of commands whose output passes through this process. */
  readonly #moved = new Set<string>();

  /** `endsOnLeave`: commands end when their session closes. */
  constructor({ endsOnLeave = false, program = shellProgram(process.platform, 'powershell') } = {}) {
    this.#endsOnLeave = endsOnLeave || process.platform === 'win32';
    this.#program = program;
  }

  async start({ command, cwd, file }: Parameters<BackgroundShell['start']>[0]): Promise<BackgroundProcess> {
    const mark = randomUUID();
    try {
      const child = this.#spawn(command, cwd, file, mark);
      const exited = new Promise<BackgroundEnd>((resolve) => {
        child.once('exit', (...exit) => resolve({ exitCode: codeOfExit(...exit) }));
      });
      await once(child, 'spawn');
      this.#waiting.set(mark, child);
      return await this.#known(child.pid ?? 0, mark, file, exited);
    } catch (error) {
      throw await toSpawnError(error, this.#program, cwd);
    }
  }

  async release({ mark }: BackgroundProcess): Promise<void> {
    const child = this.#waiting.get(mark);
    this.#waiting.delete(mark);
    const go = child?.stdio[3];
    if (go && 'end' in go) go.end('go\n');
    child?.unref();
  }

  /** Takes over a command whose output this process writes into `file`. */
  async takeOver(
    pid: number,
    mark: string,
    file: string,
    exited: Promise<number>,
  ): Promise<BackgroundProcess> {
    this.#moved.add(mark);
    return this.#known(
      pid,
      mark,
      file,
      exited.then((exitCode) => ({ exitCode })),
    );
  }

  async ended(process: BackgroundProcess, signal: AbortSignal): Promise<BackgroundEnd | undefined> {
    const left = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    const end = this.#children.get(process.mark) ?? this.#endOfOther(process, signal);
    const seen = await Promise.race([end, left]);
    if (seen && !signal.aborted && !this.#moved.has(process.mark)) await noteEnd(process, seen);
    return seen;
  }

  async read({ file }: BackgroundProcess, from: number, most: number): Promise<OutputPart> {
    const handle = await open(file).catch(() => undefined);
    if (!handle) return { text: '', through: Math.max(from, 0), left: 0 };
    try {
      const { size } = await handle.stat();
      const start = from < 0 ? Math.max(0, size + from) : Math.min(from, size);
      const left = Math.max(0, size - start - most);
      const head = left > 0 ? Math.floor(most * HEAD) : size - start;
      const first = await bytesOf(handle, start, head);
      const last = left > 0 ? await bytesOf(handle, size - (most - head), most - head) : Buffer.alloc(0);
      return partOf(first, last, { start, size, left });
    } finally {
      await handle.close();
    }
  }

  async stop(process: BackgroundProcess): Promise<void> {
    if (await isThere(process)) await endTree({ leader: process.pid, mark: process.mark });
  }

  async leave(process: BackgroundProcess): Promise<boolean> {
    if (!this.#endsOnLeave && !this.#moved.has(process.mark)) return false;
    await this.stop(process);
    return true;
  }

  async #known(
    pid: number,
    mark: string,
    file: string,
    exited: Promise<BackgroundEnd>,
  ): Promise<BackgroundProcess> {
    this.#children.set(mark, exited);
    return { pid, started: await startOfProcess(pid), mark, file };
  }

  #spawn(command: string, cwd: string, file: string, mark: string): ChildProcess {
    const output = openSync(file, 'a', 0o600);
    try {
      const [program, args] = this.#lineFor(command, file);
      const child = spawn(program, args, {
        cwd,
        env: markedEnvironment(process.env, mark),
        stdio: ['ignore', output, output, 'pipe'],
        detached: true,
        windowsHide: true,
      });
      // The process may die before it reads.
      child.stdio[3]?.on('error', () => undefined);
      return child;
    } finally {
      closeSync(output);
    }
  }

  #lineFor(command: string, file: string): readonly [string, string[]] {
    const args = this.#program.argumentsFor(command);
    if (process.platform === 'win32') return [this.#program.file, [...args]];
    return ['/bin/sh', ['-c', WRAPPER, exitFileOf(file), this.#program.file, ...args]];
  }

  /** The end of a command that an earlier process started. A system call tells only a parent of an exit. */
  async #endOfOther(process: BackgroundProcess, signal: AbortSignal): Promise<BackgroundEnd> {
    while (!signal.aborted && (await isThere(process))) await pause(LOOK_MS, signal);
    return { exitCode: await readExitCode(process) };
  }
}

/** Whether the process still runs, and is the one that was started. */
async function isThere({ pid, started }: BackgroundProcess): Promise<boolean> {
  if (process.platform === 'win32') return true;
  return started !== '' && (await startOfProcess(pid)) === started;
}

function exitFileOf(file: string): string {
  return `${file}.exit`;
}

async function readExitCode({ file }: BackgroundProcess): Promise<number | undefined> {
  const text = await readFile(exitFileOf(file), 'utf8').catch(() => '');
  return /^\d{1,3}\n$/.test(text) ? Number(text) : undefined;
}

/** Writes what the wrapper could not, because it was killed. So nobody looks for the command again. */
async function noteEnd({ file }: BackgroundProcess, { exitCode }: BackgroundEnd): Promise<void> {
  await writeFile(exitFileOf(file), `${exitCode ?? ''}\n`, { flag: 'wx', mode: 0o600 }).catch(
    () => undefined,
  );
}

async function bytesOf(
  handle: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** `start` and `size` are the first byte that was asked for and the size of the file. */
function partOf(
  first: Buffer,
  last: Buffer,
  { start, size, left }: { readonly start: number; readonly size: number; readonly left: number },
): OutputPart {
  const head = first.subarray(start > 0 ? firstWholeCharacter(first) : 0, lastWholeCharacter(first));
  if (left === 0) return { text: head.toString('utf8'), through: start + lastWholeCharacter(first), left };
  const end = lastWholeCharacter(last);
  const tail = last.subarray(firstWholeCharacter(last), end);
  return {
    text: [
      withoutLastWord(head.toString('utf8')),
      `... (${left} bytes left out)`,
      withoutFirstWord(tail.toString('utf8')),
    ].join('\n'),
    through: size - (last.length - end),
    left,
  };
}

/** Ends early when the signal is aborted. Does not keep this process alive. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds).unref();
    signal.addEventListener('abort', done);
  });
}
