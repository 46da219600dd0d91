import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { OutputStream, Shell, ShellCommand, ShellResult } from '../../core/ports/shell.ts';
import { OutputBuffer } from './output-buffer.ts';
import { endTree } from './process-tree.ts';
import { type ShellProgram, shellProgram } from './shell-program.ts';
import { type StartedCommand, startCommand } from './started-command.ts';

/**
 * Milliseconds to wait for remaining output after the command has ended. A background child may keep the
 * pipes open forever.
 */
const DRAIN_MS = 250;
/** Milliseconds to wait for the exit of a process that was sent KILL. */
const REAP_MS = 200;
const KILLED = 137;

type Listener = (stream: OutputStream, text: string) => void;
type Buffers = Readonly<Record<OutputStream, OutputBuffer>>;

/** Runs commands as child processes. */
export class NodeShell implements Shell {
  readonly description: string;
  readonly #program: ShellProgram;

  constructor(program: ShellProgram = shellProgram(process.platform, 'powershell')) {
    this.#program = program;
    this.description = program.description;
  }

  async run(command: ShellCommand, onOutput: Listener, signal: AbortSignal): Promise<ShellResult> {
    const { maxBytes, timeoutMs } = command;
    const buffers = { stdout: new OutputBuffer(maxBytes), stderr: new OutputBuffer(maxBytes) };
    if (signal.aborted) return toResult('cancelled', buffers, KILLED);
    const started = await startCommand(this.#program, command.command, command.cwd);
    collect(started, buffers, onOutput);
    const end = await endOf(started, timeoutMs, signal);
    if (end !== 'exited') await endTree(started.tree);
    const exitCode = await within(started.exited, REAP_MS, KILLED);
    await within(started.closed, DRAIN_MS, undefined);
    release(started, buffers, onOutput, end);
    return toResult(end, buffers, exitCode);
  }
}

const STREAMS = ['stdout', 'stderr'] as const;

function collect(started: StartedCommand, buffers: Buffers, onOutput: Listener): void {
  for (const name of STREAMS) {
    started[name].on('data', (chunk: Uint8Array) => forward(name, buffers[name].push(chunk), onOutput));
  }
}

function forward(name: OutputStream, text: string, onOutput: Listener): void {
  if (text !== '') onOutput(name, text);
}

/** Resolves with the first of exit, timeout and cancellation. */
function endOf(started: StartedCommand, timeoutMs: number, signal: AbortSignal): Promise<ShellResult['end']> {
  return new Promise((resolve) => {
    const finish = (end: ShellResult['end']) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve(end);
    };
    const cancel = () => finish('cancelled');
    const timer = setTimeout(() => finish('timeout'), timeoutMs);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    void started.exited.then(() => finish('exited'));
  });
}

async function within<T>(work: Promise<T>, milliseconds: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, milliseconds, otherwise);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function release(
  started: StartedCommand,
  buffers: Buffers,
  onOutput: Listener,
  end: ShellResult['end'],
): void {
  for (const name of STREAMS) {
    forward(name, buffers[name].finish(), onOutput);
    letGo(started[name], end === 'exited');
  }
}

/**
 * With `keepOpen`, still reads the pipe, because writing to a closed pipe would end a background child. The
 * pipe does not keep this process alive.
 */
function letGo(stream: Readable, keepOpen: boolean): void {
  stream.removeAllListeners('data');
  if (!keepOpen) {
    stream.destroy();
    return;
  }
  stream.resume();
  if (stream instanceof Socket) stream.unref();
}

function toResult(end: ShellResult['end'], buffers: Buffers, exitCode: number): ShellResult {
  return { end, stdout: buffers.stdout.text(), stderr: buffers.stderr.text(), exitCode };
}
