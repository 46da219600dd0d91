import { afterLines } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';

/** Lines `first` to `last`, counted from 1, both included; `last` may lie beyond the end. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Undefined for the whole file. Throws `ToolError` for a range that is invalid for every file. */
export function toLineRange(start: number | undefined, end: number | undefined): LineRange | undefined {
  if (start === undefined && end === undefined) return undefined;
  const range = { first: start ?? 1, last: end ?? Number.POSITIVE_INFINITY };
  const below = [range.first, range.last].find((line) => line < 1);
  if (below !== undefined)
    throw new ToolError(`invalid line number: ${below} (must be >= 1)`, { code: 'invalid_input' });
  if (range.first > range.last) {
    throw new ToolError(`invalid range: start_line ${range.first} > end_line ${range.last}`, {
      code: 'invalid_input',
    });
  }
  return range;
}

/** The lines of the range with their line ends. Throws `ToolError` if the text has fewer than `first`. */
export function linesOf(text: string, range: LineRange): string {
  const { place: start, count } = afterLines(text, 0, range.first - 1);
  if (start === text.length) requireStart(range, count);
  return text.slice(start, afterLines(text, start, range.last - range.first + 1).place);
}

/** The start of an empty file is in it. */
export function requireStart(range: LineRange, lineCount: number): void {
  if (range.first <= Math.max(lineCount, 1)) return;
  throw new ToolError(`line ${range.first} out of range (file has ${lineCount} lines)`, {
    code: 'invalid_input',
  });
}
