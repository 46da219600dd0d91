// A real change of a file, and the texts by which a model would name its parts.
import { splitLines } from '../../../extension/core/base/text/lines.ts';

/** Lines `start` to `start + removed.length` (exclusive, counted from 0) became `added`. */
export interface Hunk {
  readonly start: number;
  /** With their line ends, as all lines here. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export interface FileVersions {
  readonly before: readonly string[];
  /** From the top to the bottom, with at least one unchanged line between them. */
  readonly hunks: readonly Hunk[];
}

/** The file after these hunks alone. */
export function withHunks(before: readonly string[], hunks: readonly Hunk[]): string {
  return hunks
    .toReversed()
    .reduce(
      (lines, { start, removed, added }) => lines.toSpliced(start, removed.length, ...added),
      [...before],
    )
    .join('');
}

/** A part of the file that has a hunk, before and after it. */
export interface Passage {
  /** Index of the first line. */
  readonly first: number;
  readonly old: readonly string[];
  readonly next: readonly string[];
  readonly hunk: Hunk;
}

/** The hunk with so many unchanged lines before and after it. */
export function passageOf(before: readonly string[], hunk: Hunk, context: number): Passage {
  const first = Math.max(0, hunk.start - context);
  const end = hunk.start + hunk.removed.length;
  const [lead, trail] = [before.slice(first, hunk.start), before.slice(end, end + context)];
  return {
    first,
    hunk,
    old: [...lead, ...hunk.removed, ...trail],
    next: [...lead, ...hunk.added, ...trail],
  };
}

/** Lines around a hunk that a model gives at most, to make it unique. */
const MOST_CONTEXT = 12;

/**
 * The hunk with `context` lines around it, or as many more as make its text unique however white space and
 * quotes are written. Undefined if that takes too many.
 */
export function uniquePassage(before: readonly string[], hunk: Hunk, context: number): Passage | undefined {
  const plain = before.map(plainLine);
  for (let lines = context; lines <= MOST_CONTEXT; lines += 1) {
    const passage = passageOf(before, hunk, lines);
    if (countPlaces(plain, passage.old.map(plainLine)) === 1) return passage;
  }
  return undefined;
}

/** How often the lines are in the file; a single line may be a part of a longer one. */
function countPlaces(lines: readonly string[], wanted: readonly string[]): number {
  if (wanted.every((line) => line === '')) return 0;
  const [first = '', ...others] = wanted;
  const last = others.pop();
  return lines.filter((line, at) => {
    if (last === undefined) return line.includes(first);
    return (
      line.endsWith(first) &&
      others.every((other, index) => lines[at + 1 + index] === other) &&
      (lines[at + wanted.length - 1] ?? '\0').startsWith(last)
    );
  }).length;
}

function plainLine(line: string): string {
  return line.trim().replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, '-');
}

/** The two texts of the passage, each without its last line end if `withEnd` is false. */
export function textsOf({ old, next }: Passage, withEnd: boolean): { old: string; next: string } {
  const [before, after] = [old.join(''), next.join('')];
  // Without its line end, a deleted line would leave an empty one.
  if (withEnd || after === '' || !before.endsWith('\n') || !after.endsWith('\n'))
    return { old: before, next: after };
  return { old: before.slice(0, -1), next: after.slice(0, -1) };
}

/** Changes each line of a text. A line keeps its line end. */
export function eachLine(text: string, change: (line: string, index: number) => string): string {
  return splitLines(text)
    .map((line, index) => {
      const end = /\r?\n?$/.exec(line)?.[0] ?? '';
      return change(line.slice(0, line.length - end.length), index) + end;
    })
    .join('');
}
