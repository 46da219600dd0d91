// The text of one file in a review: what is accepted of it, and what is there. A line that is in both is one object, so
// that what the user has written himself never becomes a part of what the agent has done.
import { compareLines } from '../base/diff/diff-lines.ts';
import type { Part } from '../base/diff/diff-texts.ts';
import type { CutText, TextContent } from './text-content.ts';
import { shownLine } from './text-content.ts';

/** Who wrote a line: `before` the session, the user (`you`), or what event `seq` of the log says. */
export type Author = 'before' | 'you' | number;

export interface Line {
  readonly text: string;
  /** Unique in its file, and the same each time the log is read. */
  readonly id: string;
  readonly author: Author;
}

export interface ReviewedText {
  readonly base: readonly Line[];
  readonly now: readonly Line[];
}

/** A line of both, of what is accepted alone (it was removed since), or of what is there alone. */
export interface Cell {
  readonly sign: ' ' | '-' | '+';
  readonly line: Line;
}

export function newLines(texts: readonly string[], author: Author, origin: string): Line[] {
  return texts.map((text, index) => ({ text, id: `${origin}.${index}`, author }));
}

/** Lines, with the text they were cut from where that is still known. */
export interface KnownLines extends CutText {
  readonly lines: readonly Line[];
}

/** How `content` has come from `old`: `parts` are those between line `start` and line `end`, where most is the same. */
export function alignParts(
  old: KnownLines,
  content: TextContent,
): { readonly start: number; readonly end: number; readonly parts: readonly Part[] } {
  const { start, end, lines } = content.changeOf(old);
  const before = textsOf(old.lines.slice(start, end));
  const isAtEnd = !content.isEnded && end === old.lines.length;
  return { start, end, parts: compareLines(before, isAtEnd ? withKnownEnd(lines, before) : lines) };
}

/** Whether a last line that is not ended has a return is only supposed: it has, where it had. */
function withKnownEnd(lines: readonly string[], before: readonly string[]): readonly string[] {
  const [last, known] = [lines.at(-1), before.at(-1)];
  const isKnown = last !== undefined && known !== undefined && shownLine(last) === shownLine(known);
  return isKnown ? [...lines.slice(0, -1), known] : lines;
}

/** The lines when they have become those of `content`: what stays is the same object, what is new is `author`'s. */
export function carryLines(
  old: KnownLines,
  content: TextContent,
  { author, origin, onRemoved }: { author: Author; origin: string; onRemoved?: (line: Line) => void },
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

/** Both texts as one sequence. */
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
 * Where the next line stands that is in both, from these places on; the ends where there is none. Those that are in both
 * are in the same order, so the first one within any reach is the next.
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

/** What becomes of what is accepted (`+`) when the chosen lines are too, or of what is there (`-`) when they are taken back. */
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

/** Lines of which none is in both. Those with the same text count as one that has stayed. */
function between(base: readonly Line[], now: readonly Line[]): Cell[] {
  let [old, next] = [0, 0];
  return compareLines(textsOf(base), textsOf(now)).flatMap(({ sign, lines: { length } }) => {
    const from = sign === '+' ? now.slice(next, next + length) : base.slice(old, old + length);
    if (sign !== '+') old += length;
    if (sign !== '-') next += length;
    return from.map((line) => ({ sign, line }));
  });
}
