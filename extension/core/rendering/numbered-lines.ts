// Lines of a file as the model reads them: each with its number.
import { withoutLineEnd } from '../base/text/lines.ts';
import { isLongLine, shortLine } from './fit-text.ts';
import type { ShownLines } from './line-view.ts';

export interface NumberedLines {
  readonly text: string;
  /** How many lines are shown. */
  readonly count: number;
  readonly isAll: boolean;
  /** The lines that are shown to their ends. */
  readonly whole: readonly ShownLines[];
}

/** As many lines as fit into `limit` characters, at least one. `first` is the number of the first line. */
export function numberedLines(content: string, first: number, limit: number): NumberedLines {
  const rows: string[] = [];
  const whole: ShownLines[] = [];
  let room = limit;
  let start = 0;
  while (start < content.length) {
    const end = content.indexOf('\n', start) + 1 || content.length;
    const number = first + rows.length;
    const line = withoutLineEnd(content.slice(start, end));
    const row = numberedLine(number, line);
    room -= row.length + 1;
    if (room < 0 && rows.length > 0) break;
    if (!isLongLine(line)) addLine(whole, number);
    rows.push(row);
    start = end;
  }
  return { text: rows.join('\n'), count: rows.length, isAll: start >= content.length, whole };
}

/** `number` is greater than those before it. */
export function addLine(lines: ShownLines[], number: number): void {
  const last = lines.at(-1);
  if (last?.last === number - 1) lines[lines.length - 1] = { first: last.first, last: number };
  else lines.push({ first: number, last: number });
}

/** The form that `edit` knows, and takes off when a model copies it. */
export function numberedLine(number: number, line: string): string {
  return `${String(number).padStart(5)}→${shortLine(line)}`;
}
