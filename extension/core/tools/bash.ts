import * as z from 'zod/mini';
import type { ShownOutput } from '../../protocol/events.ts';
import { splitLines } from '../base/text/lines.ts';
import { cutAfter, cutBefore, hasTerminalCodes, stripTerminalCodes } from '../base/text/terminal-codes.ts';
import { ToolError } from '../base/tool-error.ts';
import { type OutputStream, type ShellResult, SpawnError } from '../ports/shell.ts';
import { requireNoSecretPlaceholder } from './common/require-no-placeholder.ts';
import { firstRoot } from './common/resolve-path.ts';
import { defineTool } from './common/tool.ts';

/** Bytes of each stream. */
const MAX_OUTPUT = 1024 * 1024;
/** Characters of each stream that an error contains. */
const MAX_TAIL = 10_000;

export const bash = defineTool({
  name: 'bash',
  description:
    'Runs a command in the workspace folder, with the shell that the environment context names, and ' +
    'returns stdout, stderr and the exit code. There is no standard input and no terminal, so the command ' +
    'must not ask anything. A command that runs too long is ended with all its children. Use it for ' +
    'tests, builds and git; to read, search or change files, use the tools for that, because the user can ' +
    'review and undo those changes.',
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
        // Cleans the text while it still has the terminal codes, because they may separate two secrets.
        const clean = (text: string) => withoutSecrets(text, true);
        const run = shell.run({ command, cwd, timeoutMs, maxBytes: MAX_OUTPUT }, listen, signal);
        const { stdout, stderr, ...end } = await run.catch(rethrow);
        const said = { stdout: stripTerminalCodes(clean(stdout)), stderr: stripTerminalCodes(clean(stderr)) };
        const shown = shownOutput(arrived.text(clean));
        if (end.end !== 'exited')
          throw new ToolError(whyEnded({ ...end, ...said }, timeoutMs, signal), {
            code: end.end === 'timeout' ? 'timeout' : 'cancelled',
            shown,
          });
        return { result: { ...said, exitCode: end.exitCode }, shown };
      },
    };
  },
});

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

function whyEnded({ end, stdout, stderr }: ShellResult, timeoutMs: number, signal: AbortSignal): string {
  const stopped = signal.aborted ? 'command was cancelled' : 'command was stopped by the user (Ctrl+C)';
  const why = end === 'timeout' ? `command timed out after ${timeoutMs / 1000} s` : stopped;
  return `${why} and was ended; stdout so far: ${tail(stdout)}\nstderr so far: ${tail(stderr)}`;
}

function tail(text: string): string {
  if (text.length <= MAX_TAIL) return text;
  return `(${text.length - MAX_TAIL} characters left out) ...${text.slice(-MAX_TAIL).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Collects the output of a command's streams, in the order of arrival. */
export class ArrivedOutput {
  /** Consecutive output of one stream each. */
  readonly #parts: { readonly stream: OutputStream; text: string }[] = [];

  add(stream: OutputStream, text: string): void {
    const last = this.#parts.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.#parts.push({ stream, text });
  }

  /** Calls `clean` with output of one stream at a time. */
  text(clean: (text: string) => string): string {
    return this.#parts.map(({ text }) => clean(text)).join('');
  }
}

/** Lines from the beginning, and as many from the end. */
const MAX_LINES = 100;
const MAX_CHARACTERS = 12_000;

/**
 * The output for people, limited in length, with its terminal codes. Undefined if it has no codes, because
 * the result then shows everything.
 */
export function shownOutput(output: string): ShownOutput | undefined {
  if (!hasTerminalCodes(output)) return undefined;
  const lines = splitLines(output);
  if (lines.length <= 2 * MAX_LINES && output.length <= 2 * MAX_CHARACTERS) return { start: output };
  const start = cutBefore(output, charactersOf(lines));
  const end = cutAfter(output, output.length - charactersOf(lines.reverse()));
  const moreLines = splitLines(output.slice(start, end)).length;
  return { start: output.slice(0, start), end: output.slice(end), moreLines };
}

/** Characters of the first lines that are shown; of a part of the first line if it alone is too long. */
function charactersOf(lines: readonly string[]): number {
  let characters = 0;
  for (const line of lines.slice(0, MAX_LINES)) {
    if (characters + line.length > MAX_CHARACTERS) break;
    characters += line.length;
  }
  return characters || MAX_CHARACTERS;
}
