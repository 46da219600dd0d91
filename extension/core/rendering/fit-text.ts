// Shortens a text to what the model may read of one result.
import { splitLines } from '../base/text/lines.ts';

/** Characters of a line that are shown. */
const LONGEST_LINE = 2000;
/** Of the room, the part for the beginning; the end of an output has its summary. */
const HEAD = 0.4;

/**
 * The text, or its head and tail in whole lines with a note between them that says where the rest is. `rest`
 * is the path of a file with the whole text. Only the note may exceed `limit`. O(text).
 */
export function fitText(text: string, limit: number, rest: string | undefined): string {
  if (text.length <= limit) return text;
  const longest = Math.min(LONGEST_LINE, Math.floor(limit / 4));
  const lines = splitLines(text).map((line) => shortLine(line, longest));
  const head = countWithin(lines, limit * HEAD);
  const tail = countWithin(lines.slice(head).reverse(), limit * (1 - HEAD));
  const left = lines.length - head - tail;
  if (left <= 0) return lines.join('');
  const first = lines.slice(0, head).join('');
  return `${first}${noteOf(left, head, rest)}\n${lines.slice(lines.length - tail).join('')}`;
}

function noteOf(left: number, head: number, rest: string | undefined): string {
  const count = `... ${left} lines left out (${head + 1}-${head + left})`;
  if (rest === undefined) return `${count}; ask for a smaller part ...`;
  return `${count}; the whole output is in ${rest}: read it with start_line, or grep it ...`;
}

/** How many of the first lines have at most `room` characters together. */
function countWithin(lines: readonly string[], room: number): number {
  let left = room;
  const first = lines.findIndex((line) => {
    left -= line.length;
    return left < 0;
  });
  return first < 0 ? lines.length : first;
}

/** The line, cut if it is longer than `longest`, with its line end. */
export function shortLine(line: string, longest = LONGEST_LINE): string {
  if (line.length <= longest) return line;
  const end = line.endsWith('\n') ? '\n' : '';
  const cut = line.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut} ... (${line.length - cut.length} more characters in this line)${end}`;
}
