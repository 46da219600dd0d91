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
  requireNoSecretPlaceholder('', command);
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

/** What the streams of a command say, in the order of arrival. */
export class ArrivedOutput {
  /** What one stream said until the other one did. */
  readonly #parts: { readonly stream: OutputStream; text: string }[] = [];

  add(stream: OutputStream, text: string): void {
    const last = this.#parts.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.#parts.push({ stream, text });
  }

  /** `clean` gets what is of one stream alone. */
  text(clean: (text: string) => string): string {
    return this.#parts.map(({ text }) => clean(text)).join('');
  }
}

/** Of the beginning, and as many of the end. */
const MAX_LINES = 100;
const MAX_CHARACTERS = 12_000;

/** `output` as people see it, bounded, with its terminal codes; undefined where it has none, so that the result says it all. */
export function shownOutput(output: string): ShownOutput | undefined {
  if (!hasTerminalCodes(output)) return undefined;
  const lines = splitLines(output);
  if (lines.length <= 2 * MAX_LINES && output.length <= 2 * MAX_CHARACTERS) return { start: output };
  const start = cutBefore(output, charactersOf(lines));
  const end = cutAfter(output, output.length - charactersOf(lines.reverse()));
  const moreLines = splitLines(output.slice(start, end)).length;
  return { start: output.slice(0, start), end: output.slice(end), moreLines };
}

/** Characters of as many of the first lines as are shown; of a part of the first where it alone is too long. */
function charactersOf(lines: readonly string[]): number {
  let characters = 0;
  for (const line of lines.slice(0, MAX_LINES)) {
    if (characters + line.length > MAX_CHARACTERS) break;
    characters += line.length;
  }
  return characters || MAX_CHARACTERS;
}
