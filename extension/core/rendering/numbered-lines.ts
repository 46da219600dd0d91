// Lines of a file as the model reads them: each with its number.
import { withoutLineEnd } from '../base/text/lines.ts';
import { shortLine } from './fit-text.ts';

export interface NumberedLines {
  readonly text: string;
  /** How many lines are shown. */
  readonly count: number;
  readonly isAll: boolean;
}

/** As many lines as fit into `limit` characters, at least one. `first` is the number of the first line. */
export function numberedLines(content: string, first: number, limit: number): NumberedLines {
  const rows: string[] = [];
  let room = limit;
  let start = 0;
  while (start < content.length) {
    const end = content.indexOf('\n', start) + 1 || content.length;
    const row = numberedLine(first + rows.length, withoutLineEnd(content.slice(start, end)));
    room -= row.length + 1;
    if (room < 0 && rows.length > 0) break;
    rows.push(row);
    start = end;
  }
  return { text: rows.join('\n'), count: rows.length, isAll: start >= content.length };
}

/** The form that `edit` knows, and takes off when a model copies it. */
export function numberedLine(number: number, line: string): string {
  return `${String(number).padStart(5)}→${shortLine(line)}`;
}
