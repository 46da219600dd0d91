// Lines out of a text, without the secrets of which they may have a part.
import { LONGEST_SECRET } from '../secrets/secret-kinds.ts';
import { type LineRange, linesOf, requireStart } from './line-range.ts';
import { splitLines } from './lines.ts';
import type { ToolContext } from './tool.ts';

/** Characters around the lines that are looked at: a secret is longer where there are codes in it. */
const AROUND = 4 * LONGEST_SECRET;

export interface ReadLines {
  readonly content: string;
  /** They are all that the text has. */
  readonly isAll: boolean;
}

/** The lines of the range with their line ends. Only what is near them is looked at. Throws `ToolError` where the text has fewer than `first`. */
export function linesInPlace(
  text: string,
  range: LineRange,
  withoutSecrets: ToolContext['withoutSecrets'],
): ReadLines {
  const start = placeOf(text, range);
  const end = behindLines(text, start, range.last - range.first + 1).place;
  const from = Math.max(0, start - AROUND);
  const first = splitLines(text.slice(from, start)).length + 1;
  const last = first + splitLines(text.slice(start, end)).length - 1;
  const content = linesOf(withoutSecrets(text.slice(from, end + AROUND)), { first, last });
  return { content, isAll: start === 0 && end === text.length };
}

/** Where the first line begins. */
function placeOf(text: string, range: LineRange): number {
  const { place, count } = behindLines(text, 0, range.first - 1);
  if (place === text.length) requireStart(range, count);
  return place;
}

/** Walks over at most `most` lines from `place`: how many there were, and where the last of them ends. */
function behindLines(text: string, place: number, most: number): { place: number; count: number } {
  let end = place;
  let count = 0;
  while (count < most && end < text.length) {
    end = text.indexOf('\n', end) + 1 || text.length;
    count += 1;
  }
  return { place: end, count };
}
