import type { ShownOutput } from '../../protocol/events.ts';
import { cutAfter, cutBefore } from './cut-output.ts';
import { splitLines } from './lines.ts';
import { hasTerminalCodes } from './strip-terminal-codes.ts';

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
