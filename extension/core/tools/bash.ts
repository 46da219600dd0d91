import * as z from 'zod/mini';
import { type ShellResult, SpawnError } from '../ports/shell.ts';
import { requireNoPlaceholder } from './hidden-secrets.ts';
import { firstRoot } from './resolve-path.ts';
import { shownOutput } from './shown-output.ts';
import { stripTerminalCodes } from './strip-terminal-codes.ts';
import { defineTool, ToolError } from './tool.ts';

/** Bytes of each stream. */
const MAX_OUTPUT = 1024 * 1024;
/** Characters of each stream that an error carries. */
const MAX_TAIL = 10_000;

export const bash = defineTool({
  name: 'bash',
  description:
    'Runs a command in the workspace folder, with the shell that the environment context names, and returns stdout, stderr and ' +
    'the exit code. There is no standard input and no terminal, so a command must not ask anything. A command that runs ' +
    'too long is ended with all its children; put a server into the background. Each stream is cut after 1 MB, and ' +
    'colours and other terminal codes are left out.',
  schema: z.strictObject({ command: z.string().check(z.describe('The command line')) }),
  async prepare({ command }, { workspace, shell, timeoutMs }) {
    checkCommand(command);
    const cwd = firstRoot(workspace.roots).path;
    return {
      action: { kind: 'run', tool: 'bash', targets: [], command, cwd },
      touches: 'workspace',
      execute: async (signal, onOutput) => {
        const arrived: string[] = [];
        const listen: typeof onOutput = (stream, text) => {
          arrived.push(text);
          onOutput(stream, text);
        };
        const run = shell.run({ command, cwd, timeoutMs, maxBytes: MAX_OUTPUT }, listen, signal);
        const ended = await run.catch(rethrow);
        const shown = shownOutput(arrived.join(''));
        if (ended.end !== 'exited') throw new ToolError(whyEnded(ended, timeoutMs, signal), { shown });
        return { result: toResult(ended), shown };
      },
    };
  },
});

function checkCommand(command: string): void {
  if (command.trim() === '') throw new ToolError('empty command: give the command to run');
  if (command.includes('\0')) throw new ToolError('command contains a NUL character');
  requireNoPlaceholder('', command);
}

function rethrow(error: unknown): never {
  if (!(error instanceof SpawnError)) throw error;
  throw new ToolError(`command could not be started: ${error.message}`, { cause: error });
}

function toResult({ stdout, stderr, exitCode }: ShellResult): Readonly<Record<string, unknown>> {
  return { stdout: stripTerminalCodes(stdout), stderr: stripTerminalCodes(stderr), exitCode };
}

function whyEnded({ end, stdout, stderr }: ShellResult, timeoutMs: number, signal: AbortSignal): string {
  const stopped = signal.aborted ? 'command was cancelled' : 'command was stopped by the user (Ctrl+C)';
  const why = end === 'timeout' ? `command timed out after ${timeoutMs / 1000} s` : stopped;
  const [printed, complained] = [stdout, stderr].map((text) => tail(stripTerminalCodes(text)));
  return `${why} and was ended; stdout so far: ${printed}\nstderr so far: ${complained}`;
}

function tail(text: string): string {
  if (text.length <= MAX_TAIL) return text;
  return `(${text.length - MAX_TAIL} characters left out) ...${text.slice(-MAX_TAIL).replace(/^[\uDC00-\uDFFF]/, '')}`;
}
