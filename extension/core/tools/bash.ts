import * as z from 'zod/mini';
import { type ShellResult, SpawnError } from '../ports/shell.ts';
import { ArrivedOutput } from './arrived-output.ts';
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
  async prepare({ command }, { workspace, shell, timeoutMs, withoutSecrets }) {
    checkCommand(command);
    const cwd = firstRoot(workspace.roots).path;
    return {
      action: { kind: 'run', tool: 'bash', targets: [], command, cwd },
      touches: 'workspace',
      execute: async (signal, onOutput) => {
        const arrived = new ArrivedOutput();
        const listen: typeof onOutput = (stream, text) => {
          arrived.add(stream, text);
          onOutput(stream, text);
        };
        // As long as the codes are there that part one from the other.
        const clean = (text: string) => withoutSecrets(text, true);
        const run = shell.run({ command, cwd, timeoutMs, maxBytes: MAX_OUTPUT }, listen, signal);
        const { stdout, stderr, ...end } = await run.catch(rethrow);
        const said = { stdout: stripTerminalCodes(clean(stdout)), stderr: stripTerminalCodes(clean(stderr)) };
        const shown = shownOutput(arrived.text(clean));
        if (end.end !== 'exited')
          throw new ToolError(whyEnded({ ...end, ...said }, timeoutMs, signal), { shown });
        return { result: { ...said, exitCode: end.exitCode }, shown };
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

function whyEnded({ end, stdout, stderr }: ShellResult, timeoutMs: number, signal: AbortSignal): string {
  const stopped = signal.aborted ? 'command was cancelled' : 'command was stopped by the user (Ctrl+C)';
  const why = end === 'timeout' ? `command timed out after ${timeoutMs / 1000} s` : stopped;
  return `${why} and was ended; stdout so far: ${tail(stdout)}\nstderr so far: ${tail(stderr)}`;
}

function tail(text: string): string {
  if (text.length <= MAX_TAIL) return text;
  return `(${text.length - MAX_TAIL} characters left out) ...${text.slice(-MAX_TAIL).replace(/^[\uDC00-\uDFFF]/, '')}`;
}
