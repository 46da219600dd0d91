// What people see of a command's output: with its terminal codes, limited in length.
import type { ShownOutput } from '../../../protocol/events.ts';
import { splitLines } from '../../base/text/lines.ts';
import { cutAfter, cutBefore, hasTerminalCodes } from '../../base/text/terminal-codes.ts';
import type { OutputStream } from '../../ports/shell.ts';

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
