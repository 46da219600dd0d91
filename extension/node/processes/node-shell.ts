import type { OutputStream, Shell, ShellCommand, ShellResult } from '../../core/ports/shell.ts';
import { CommandOutput } from './command-output.ts';
import type { NodeBackground } from './node-background.ts';
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

/** Runs commands as child processes. */
export class NodeShell implements Shell {
  readonly description: string;
  readonly #program: ShellProgram;
  readonly #background: Pick<NodeBackground, 'takeOver'> | undefined;

  /** Without `background`, no command can be moved there. */
  constructor({
    program = shellProgram(process.platform, 'powershell'),
    background,
  }: {
    readonly program?: ShellProgram;
    readonly background?: Pick<NodeBackground, 'takeOver'>;
  } = {}) {
    this.#program = program;
    this.#background = background;
    this.description = program.description;
  }

  async run(
    command: ShellCommand,
    onOutput: Listener,
    signal: AbortSignal,
    move?: AbortSignal,
  ): Promise<ShellResult> {
    const output = new CommandOutput(command, onOutput);
    if (signal.aborted) return output.result('cancelled', KILLED);
    const started = await startCommand(this.#program, command.command, command.cwd);
    output.collect(started);
    const wishes = { signal, ...(this.#background && { move }), onMove: () => output.move() !== undefined };
    const end = await endOf(started, command.timeoutMs, wishes);
    if (end === 'moved') return this.#moved(started, output);
    if (end !== 'exited') await endTree(started.tree);
    const exitCode = await within(started.exited, REAP_MS, KILLED);
    await within(started.closed, DRAIN_MS, undefined);
    output.release(started, end === 'exited');
    return output.result(end, exitCode);
  }

  async #moved(started: StartedCommand, output: CommandOutput): Promise<ShellResult> {
    const { leader, mark } = started.tree;
    const exited = started.exited.then(async (exitCode) => {
      await within(started.closed, DRAIN_MS, undefined);
      output.release(started, true);
      return exitCode;
    });
    const process = await this.#background?.takeOver(leader, mark, output.move() ?? '', exited);
    return { ...output.result('moved', 0), process };
  }
}

interface Wishes {
  /** Ends the command. */
  readonly signal: AbortSignal;
  /** Asks to let it run on in the background. */
  readonly move?: AbortSignal | undefined;
  /** Returns false if it cannot. */
  readonly onMove: () => boolean;
}

/** Resolves with the first of exit, timeout, cancellation and move. */
function endOf(
  started: StartedCommand,
  timeoutMs: number,
  { signal, move, onMove }: Wishes,
): Promise<ShellResult['end']> {
  return new Promise((resolve) => {
    const finish = (end: ShellResult['end']) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      move?.removeEventListener('abort', letRun);
      resolve(end);
    };
    const cancel = () => finish('cancelled');
    const letRun = () => onMove() && finish('moved');
    const timer = setTimeout(() => finish('timeout'), timeoutMs);
    signal.addEventListener('abort', cancel);
    move?.addEventListener('abort', letRun);
    if (signal.aborted) cancel();
    else if (move?.aborted) letRun();
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
