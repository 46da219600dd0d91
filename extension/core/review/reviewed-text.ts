// The text of one file in a review: what is accepted of it, and what is there. A line that is in both is one object, so
// that what the user has written himself never becomes a part of what the agent has done.
import { compareLines } from './compare-lines.ts';

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

/** `lines` when they have become `texts`: what stays is the same object, what is new is `author`'s. */
export function carryLines(
  lines: readonly Line[],
  texts: readonly string[],
  { author, origin, onRemoved }: { author: Author; origin: string; onRemoved?: (line: Line) => void },
): Line[] {
  let old = 0;
  const next = (count: number) => {
    old += count;
    return lines.slice(old - count, old);
  };
  return compareLines(textsOf(lines), texts).flatMap(({ sign, lines: part }, index) => {
    if (sign === '+') return newLines(part, author, `${origin}.${index}`);
    const taken = next(part.length);
    if (sign === ' ') return taken;
    for (const line of taken) onRemoved?.(line);
    return [];
  });
}

/** Both texts as one sequence. */
export function cellsOf({ base, now }: ReviewedText): Cell[] {
  const places = new Map(now.map((line, index) => [line, index]));
  const cells: Cell[] = [];
  let [oldFrom, nowFrom] = [0, 0];
  for (const [index, line] of base.entries()) {
    const place = places.get(line) ?? -1;
    if (place < nowFrom) continue;
    if (oldFrom < index || nowFrom < place)
      for (const cell of between(base.slice(oldFrom, index), now.slice(nowFrom, place))) cells.push(cell);
    cells.push({ sign: ' ', line });
    [oldFrom, nowFrom] = [index + 1, place + 1];
  }
  return [...cells, ...between(base.slice(oldFrom), now.slice(nowFrom))];
}

export function fromCells(cells: readonly Cell[]): ReviewedText {
  const without = (sign: Cell['sign']) => cells.filter((cell) => cell.sign !== sign).map(({ line }) => line);
  return { base: without('+'), now: without('-') };
}

/** What becomes of what is accepted (`+`) when the chosen lines are too, or of what is there (`-`) when they are taken back. */
export function linesIn(cells: readonly Cell[], side: '+' | '-', isChosen: (id: string) => boolean): Line[] {
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
