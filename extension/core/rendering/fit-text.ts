// Shortens a text to what the model may read of one result.
import { countLinesIn } from '../base/text/lines.ts';

/** Characters of a line that are shown. */
const LONGEST_LINE = 2000;
/** Of the room, the part for the beginning; the end of an output has its summary. */
const HEAD = 0.4;

/**
 * The text, or its head and tail in whole lines with a note between them that says where the rest is. `rest`
 * is the path of a file with the whole text. Only the note may exceed `limit`. Of the lines that are left out,
 * only counts the ends.
 */
export function fitText(text: string, limit: number, rest: string | undefined): string {
  if (text.length <= limit) return text;
  const longest = Math.min(LONGEST_LINE, Math.floor(limit / 4));
  const head = firstLines(text, limit * HEAD, longest);
  const tail = lastLines(text.slice(head.end), limit * (1 - HEAD), longest);
  const left = countLinesIn(text.slice(head.end, head.end + tail.start));
  if (left === 0) return `${head.text}${tail.text}${noteOfLongLines(rest)}`;
  return `${head.text}${noteOf(left, head.count, rest)}\n${tail.text}`;
}

function noteOf(left: number, head: number, rest: string | undefined): string {
  const count = `... ${left} lines left out (${head + 1}-${head + left})`;
  if (rest === undefined) return `${count}; ask for a smaller part ...`;
  return `${count}; the whole output is in ${rest}: read it with start_line, or grep it ...`;
}

/** Only ends of lines are left out. */
function noteOfLongLines(rest: string | undefined): string {
  if (rest === undefined)
    return '\n... the ends of long lines are left out; get them with cut -c in bash ...';
  return `\n... the ends of long lines are left out; the whole output is in ${rest}: get them with cut -c in bash ...`;
}

/** As many of the first lines as have at most `room` characters together, and the index after them. */
function firstLines(
  text: string,
  room: number,
  longest: number,
): { text: string; count: number; end: number } {
  const lines: string[] = [];
  let [left, end] = [room, 0];
  while (end < text.length) {
    const next = text.indexOf('\n', end) + 1 || text.length;
    const line = shortLine(text.slice(end, next), longest);
    left -= line.length;
    if (left < 0) break;
    lines.push(line);
    end = next;
  }
  return { text: lines.join(''), count: lines.length, end };
}

/** As many of the last lines as have at most `room` characters together, and the index before them. */
function lastLines(text: string, room: number, longest: number): { text: string; start: number } {
  const lines: string[] = [];
  let [left, start] = [room, text.length];
  while (start > 0) {
    const next = start > 1 ? text.lastIndexOf('\n', start - 2) + 1 : 0;
    const line = shortLine(text.slice(next, start), longest);
    left -= line.length;
    if (left < 0) break;
    lines.push(line);
    start = next;
  }
  return { text: lines.reverse().join(''), start };
}

/** `shortLine` cuts the line. */
export function isLongLine(line: string): boolean {
  return line.length > LONGEST_LINE;
}

/** The line, cut if it is longer than `longest`, with its line end. */
export function shortLine(line: string, longest = LONGEST_LINE): string {
  if (line.length <= longest) return line;
  const end = line.endsWith('\n') ? '\n' : '';
  const cut = line.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut} ... (${line.length - cut.length} more characters in this line)${end}`;
}
