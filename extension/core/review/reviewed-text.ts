// The text of one file in a review: its accepted side (`base`) and its current side (`now`). A line in both
// sides is one object, so a line that the user wrote never becomes part of the agent's change.
import { compareLines } from '../base/diff/diff-lines.ts';
import type { DiffPart } from '../base/diff/diff-texts.ts';
import type { CutText, TextContent } from './text-content.ts';
import { shownLine } from './text-content.ts';

/** Who wrote a line: someone before the session, the user (`you`), or the author of event `seq`. */
export type LineAuthor = 'before' | 'you' | number;

export interface Line {
  readonly text: string;
  /** Unique in its file, and the same on every replay of the log. */
  readonly id: string;
  readonly author: LineAuthor;
}

export interface ReviewedText {
  readonly base: readonly Line[];
  readonly now: readonly Line[];
}

/** A line of both sides (` `), of the accepted side only (`-`), or of the current side only (`+`). */
export interface Cell {
  readonly sign: ' ' | '-' | '+';
  readonly line: Line;
}

export function newLines(texts: readonly string[], author: LineAuthor, origin: string): Line[] {
  return texts.map((text, index) => ({ text, id: `${origin}.${index}`, author }));
}

/** Lines, with the text that they were cut from if it is still in memory. */
export interface KnownLines extends CutText {
  readonly lines: readonly Line[];
}

/** How `old` became `content`. Lines outside `start` to `end` are the same; `parts` are those within. */
export function alignParts(
  old: KnownLines,
  content: TextContent,
): { readonly start: number; readonly end: number; readonly parts: readonly DiffPart[] } {
  const { start, end, lines } = content.changeOf(old);
  const before = textsOf(old.lines.slice(start, end));
  const isAtEnd = !content.isEnded && end === old.lines.length;
  return { start, end, parts: compareLines(before, isAtEnd ? withKnownEnd(lines, before) : lines) };
}

/** Whether a last line without a line feed has a carriage return is unknown; the old line decides. */
function withKnownEnd(lines: readonly string[], before: readonly string[]): readonly string[] {
  const [last, known] = [lines.at(-1), before.at(-1)];
  const isKnown = last !== undefined && known !== undefined && shownLine(last) === shownLine(known);
  return isKnown ? [...lines.slice(0, -1), known] : lines;
}

/** The lines of `content`. Unchanged lines are the same objects; new ones belong to `author`. */
export function carryLines(
  old: KnownLines,
  content: TextContent,
  { author, origin, onRemoved }: { author: LineAuthor; origin: string; onRemoved?: (line: Line) => void },
): Line[] {
  const { start, end, parts } = alignParts(old, content);
  let at = start;
  const next = (count: number) => {
    at += count;
    return old.lines.slice(at - count, at);
  };
  const carried = parts.flatMap(({ sign, lines: part }, index) => {
    if (sign === '+') return newLines(part, author, `${origin}.${index}`);
    const taken = next(part.length);
    if (sign === ' ') return taken;
    for (const line of taken) onRemoved?.(line);
    return [];
  });
  return old.lines.slice(0, start).concat(carried, old.lines.slice(end));
}

/** Both sides as one sequence. */
export function cellsOf({ base, now }: ReviewedText): Cell[] {
  const cells: Cell[] = [];
  let [old, next] = [0, 0];
  while (old < base.length || next < now.length) {
    const line = base[old];
    if (line && line === now[next]) {
      cells.push({ sign: ' ', line });
      [old, next] = [old + 1, next + 1];
      continue;
    }
    const common = nextCommon(base, now, old, next);
    for (const cell of between(base.slice(old, common.old), now.slice(next, common.now))) cells.push(cell);
    [old, next] = [common.old, common.now];
  }
  return cells;
}

/**
 * Indexes of the next line in both sides, from `old` and `next` on; the ends if there is none. Common lines
 * have the same order in both sides, so the first one within the reach is the next.
 */
function nextCommon(
  base: readonly Line[],
  now: readonly Line[],
  old: number,
  next: number,
): { old: number; now: number } {
  for (let reach = 8; ; reach *= 4) {
    const places = new Map(base.slice(old, old + reach).map((line, index) => [line, old + index]));
    for (const [index, line] of now.slice(next, next + reach).entries()) {
      const place = places.get(line);
      if (place !== undefined) return { old: place, now: next + index };
    }
    if (old + reach >= base.length && next + reach >= now.length)
      return { old: base.length, now: now.length };
  }
}

export function fromCells(cells: readonly Cell[]): ReviewedText {
  const without = (sign: Cell['sign']) => cells.filter((cell) => cell.sign !== sign).map(({ line }) => line);
  return { base: without('+'), now: without('-') };
}

/** The accepted lines after accepting the chosen ones (`+`), or the current ones after a rejection (`-`). */
export function linesOfSide(
  cells: readonly Cell[],
  side: '+' | '-',
  isChosen: (id: string) => boolean,
): Line[] {
  const kept = cells.filter(({ sign, line }) => sign === ' ' || isChosen(line.id) === (sign === side));
  return kept.map(({ line }) => line);
}

export function textsOf(lines: readonly Line[]): string[] {
  return lines.map(({ text }) => text);
}

/** Cells for lines that are on one side only. Two with the same text count as one unchanged line. */
function between(base: readonly Line[], now: readonly Line[]): Cell[] {
  let [old, next] = [0, 0];
  return compareLines(textsOf(base), textsOf(now)).flatMap(({ sign, lines: { length } }) => {
    const from = sign === '+' ? now.slice(next, next + length) : base.slice(old, old + length);
    if (sign !== '+') old += length;
    if (sign !== '-') next += length;
    return from.map((line) => ({ sign, line }));
  });
}
