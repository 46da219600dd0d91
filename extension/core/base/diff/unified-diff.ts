import type { Diff } from '../../../protocol/events.ts';
import { splitLines } from '../text/lines.ts';
import { cutAtWord } from '../text/truncate.ts';
import type { Comparison, DiffPart } from './diff-texts.ts';

/** Lines around a change. */
const CONTEXT = 2;
/** Lines and characters of all hunks. With the hunks' heads, the text stays below 12,000 characters. */
const MAX_LINES = 60;
const MAX_CHARACTERS = 11_000;
const LONGEST_LINE = 400;

interface Row {
  readonly sign: DiffPart['sign'];
  /** With its sign and without its line end. */
  readonly text: string;
  /**
   * Its number in the old and in the new text. If the row is in one text alone, the other number is that of
   * the next line.
   */
  readonly old: number;
  readonly now: number;
}

/** The first hunks of `comparison`, whose old text is `before`; undefined if nothing has changed. */
export function unifiedDiff(before: string, comparison: Comparison): Diff | undefined {
  if (comparison.parts.length === 0) return undefined;
  const { start, end } = comparison;
  const lead = linesBefore(before, start);
  const trail = linesFrom(before, before.length - end);
  const parts = [same(lead), ...comparison.parts, same(trail)];
  const shown = firstRows(parts, countFeeds(before, start) - lead.length + 1);
  const moreLines = countRows(parts) - shown.length;
  const text = hunksOf(shown).map(hunkText).join('\n');
  return moreLines > 0 ? { text, moreLines } : { text };
}

/** `number` is that of the first line. */
function firstRows(parts: readonly DiffPart[], number: number): Row[] {
  const rows: Row[] = [];
  let characters = 0;
  for (const row of rowsOf(parts, number)) {
    characters += row.text.length;
    if (rows.length === MAX_LINES || characters > MAX_CHARACTERS) break;
    rows.push(row);
  }
  return rows;
}

/** All changed lines, and the unchanged lines near them. */
function* rowsOf(parts: readonly DiffPart[], number: number): Generator<Row> {
  let [old, now] = [number, number];
  for (const { sign, lines } of parts) {
    for (const [index, line] of lines.entries()) {
      const isFar = sign === ' ' && index >= CONTEXT && index < lines.length - CONTEXT;
      if (!isFar) yield { sign, text: sign + shownLine(line), old, now };
      if (sign !== '+') old += 1;
      if (sign !== '-') now += 1;
    }
  }
}

function countRows(parts: readonly DiffPart[]): number {
  return parts.reduce(
    (sum, { sign, lines }) => sum + (sign === ' ' ? Math.min(lines.length, 2 * CONTEXT) : lines.length),
    0,
  );
}

function same(lines: readonly string[]): DiffPart {
  return { sign: ' ', lines };
}

function linesBefore(text: string, end: number): string[] {
  let start = end;
  for (let line = 0; line < CONTEXT; line += 1)
    start = text.slice(0, Math.max(0, start - 1)).lastIndexOf('\n') + 1;
  return splitLines(text.slice(start, end));
}

function linesFrom(text: string, start: number): string[] {
  let end = start;
  for (let line = 0; line < CONTEXT; line += 1) end = text.indexOf('\n', end) + 1 || text.length;
  return splitLines(text.slice(start, end));
}

function countFeeds(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** As git and diff write it. A carriage return before the line feed is a part of the line. */
function shownLine(line: string): string {
  const text = line.replace(/\n$/, '');
  const cut = text.length > LONGEST_LINE ? `${cutAtWord(text, LONGEST_LINE)}…` : text;
  return line.endsWith('\n') ? cut : `${cut}\n\\ No newline at end of file`;
}

/** Groups rows that follow each other in the text. */
function hunksOf(rows: readonly Row[]): Row[][] {
  const hunks: Row[][] = [];
  for (const row of rows) {
    const hunk = hunks.at(-1);
    const last = hunk?.at(-1);
    if (hunk && last && row.old - last.old <= 1) hunk.push(row);
    else hunks.push([row]);
  }
  return hunks;
}

function hunkText(rows: readonly Row[]): string {
  const [first] = rows;
  const range = (number = 1, other: Row['sign']) => {
    const lines = rows.filter(({ sign }) => sign !== other).length;
    return `${lines === 0 ? number - 1 : number},${lines}`;
  };
  const head = `@@ -${range(first?.old, '+')} +${range(first?.now, '-')} @@`;
  return [head, ...rows.map(({ text }) => text)].join('\n');
}
