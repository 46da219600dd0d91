import * as z from 'zod/mini';
import type { BackgroundCommands } from '../../background/background-commands.ts';
import { fileOf } from '../../background/background-fold.ts';
import { stripTerminalCodes } from '../../base/text/terminal-codes.ts';
import { ToolError } from '../../base/tool-error.ts';
import { type ShellCommand, type ShellResult, SpawnError } from '../../ports/shell.ts';
import { fitText } from '../../rendering/fit-text.ts';
import { requireNoSecretPlaceholder } from '../common/require-no-placeholder.ts';
import { firstRoot } from '../common/resolve-path.ts';
import {
  defineTool,
  type PreparedCall,
  type RunningCall,
  type ToolContext,
  type ToolOutput,
} from '../common/tool.ts';
import { ArrivedOutput, shownOutput } from './shown-output.ts';

/** Bytes of each stream. */
const MAX_OUTPUT = 1024 * 1024;
/** Characters of each stream that an error contains. */
const MAX_IN_ERROR = 100_000;
/** Seconds. */
const LONGEST = 600;

export const bash = defineTool({
  name: 'bash',
  description:
    'Runs a command in the workspace folder and returns stdout, stderr and the exit code. It has no ' +
    'standard input, so it must not ask anything. It is ended at its time limit: give a slow build or ' +
    'test a longer timeout. Start a server or a watcher with background: true, never with a trailing &. ' +
    'To read or search files, use read and grep.',
  schema: z.strictObject({
    command: z.string(),
    timeout: z.optional(
      z
        .int('must be a whole number of seconds, from 1 to 600')
        .check(
          z.positive('must be a whole number of seconds, from 1 to 600'),
          z.describe('Seconds, at most 600'),
        ),
    ),
    background: z.optional(z.boolean().check(z.describe('Answers at once with an id'))),
  }),
  async prepare({ command, timeout, background }, context) {
    checkCommand(command);
    if (background && timeout !== undefined)
      throw new ToolError('timeout: a background command has no time limit; leave timeout out', {
        code: 'invalid_input',
      });
    const cwd = firstRoot(context.workspace.roots).path;
    return background ? inBackground(command, cwd, context) : inForeground(command, cwd, timeout, context);
  },
});

function inBackground(command: string, cwd: string, { background }: ToolContext): PreparedCall {
  if (!background)
    throw new ToolError(
      'background: there is no session that could list and stop the command; run it without',
      { code: 'unsupported' },
    );
  background.requireRoom();
  return {
    action: { kind: 'run', tool: 'bash', targets: [], command, cwd, background: true },
    touches: 'workspace',
    execute: async (_signal, _onOutput, { id: call }) => {
      const started = await background.start(call, command, cwd).catch(rethrow);
      return { result: { id: started.id, file: fileOf(started) } };
    },
  };
}

function inForeground(
  command: string,
  cwd: string,
  timeout: number | undefined,
  context: ToolContext,
): PreparedCall {
  const timeoutMs = timeout === undefined ? context.timeoutMs : Math.min(timeout, LONGEST) * 1000;
  const note = timeout !== undefined && timeout > LONGEST ? clamped(timeout) : undefined;
  return {
    action: { kind: 'run', tool: 'bash', targets: [], command, cwd },
    touches: 'workspace',
    execute: (signal, onOutput, call) => {
      const wanted = { command, cwd, timeoutMs, maxBytes: MAX_OUTPUT };
      return new Foreground(wanted, note, context, call).run(signal, onOutput);
    },
  };
}

function clamped(timeout: number): string {
  return `a timeout of ${timeout} s is over the limit; ${LONGEST} s were used`;
}

/** One command that the model waits for. */
class Foreground {
  readonly #command: ShellCommand;
  readonly #note: string | undefined;
  readonly #context: ToolContext;
  readonly #call: RunningCall;
  readonly #background: BackgroundCommands | undefined;

  constructor(command: ShellCommand, note: string | undefined, context: ToolContext, call: RunningCall) {
    const { background } = context;
    this.#command = background ? { ...command, file: background.fileFor(call.id) } : command;
    this.#note = note;
    this.#context = context;
    this.#call = call;
    this.#background = background;
  }

  async run(signal: AbortSignal, onOutput: Parameters<PreparedCall['execute']>[1]): Promise<ToolOutput> {
    const { shell, withoutSecrets } = this.#context;
    const { stopped, moved } = this.#call;
    const arrived = new ArrivedOutput();
    const listen: typeof onOutput = (stream, text) => {
      arrived.add(stream, text);
      onOutput(stream, text);
    };
    const ending = AbortSignal.any([signal, stopped]);
    const result = await shell.run(this.#command, listen, ending, moved).catch(rethrow);
    // Cleans the text while it still has the terminal codes, because they may separate two secrets.
    const clean = (text: string) => withoutSecrets(text, true);
    const isLong = result.stdout.length + result.stderr.length > MAX_OUTPUT;
    // Of a very long output, what arrived first lacks the end.
    const shown = shownOutput(isLong ? clean(result.stdout) + clean(result.stderr) : arrived.text(clean));
    const [stdout, stderr] = [result.stdout, result.stderr].map((text) => stripTerminalCodes(clean(text)));
    return this.#output({ ...result, stdout: stdout ?? '', stderr: stderr ?? '' }, shown, signal);
  }

  async #output(
    { end, stdout, stderr, exitCode, file, process }: ShellResult,
    shown: ToolOutput['shown'],
    signal: AbortSignal,
  ): Promise<ToolOutput> {
    const note = this.#note !== undefined && { note: this.#note };
    if (end === 'exited') return { result: { stdout, stderr, exitCode, ...note }, shown, rest: file };
    if (end === 'moved' && process && this.#background) {
      const { command } = this.#command;
      const moved = await this.#background.moved(this.#call.id, command, process);
      return { result: { id: moved.id, file: fileOf(moved), stdout, stderr }, shown, rest: file };
    }
    const printed = [streamIn('stdout', stdout, file), streamIn('stderr', stderr, file)].join('');
    throw new ToolError(`${this.#whyEnded(end, signal)}\n${printed || '(no output)'}`, {
      code: end === 'timeout' ? 'timeout' : 'cancelled',
      shown,
    });
  }

  #whyEnded(end: ShellResult['end'], signal: AbortSignal): string {
    const seconds = this.#command.timeoutMs / 1000;
    const note = this.#note === undefined ? '' : ` (${this.#note})`;
    if (end === 'timeout')
      return `command timed out after ${seconds} s and was ended${note}; give a longer timeout, or run it with background: true`;
    return `${signal.aborted ? 'command was cancelled' : 'command was stopped by the user'} and was ended`;
  }
}

function streamIn(name: string, text: string, file: string | undefined): string {
  return text.trim() === '' ? '' : `${name} so far:\n${fitText(text, MAX_IN_ERROR, file).trimEnd()}\n`;
}

function checkCommand(command: string): void {
  if (command.trim() === '')
    throw new ToolError('empty command: give the command to run', { code: 'invalid_input' });
  if (command.includes('\0'))
    throw new ToolError('command contains a NUL character', { code: 'invalid_input' });
  requireNoSecretPlaceholder('', command);
}

function rethrow(error: unknown): never {
  if (!(error instanceof SpawnError)) throw error;
  throw new ToolError(`command could not be started: ${error.message}`, { code: 'io', cause: error });
}
