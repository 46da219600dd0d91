export type LineEnd = '\n' | '\r\n';

/**
 * The lines of a text, each with its own line end. `\n` and `\r\n` end a line; the last line may have no end.
 */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** How many lines `splitLines` gives, without a copy of them. */
export function countLinesIn(text: string): number {
  return afterLines(text, 0, Number.POSITIVE_INFINITY).count;
}

/** Skips at most `most` lines from `place`. Returns their number, and the end of the last one. */
export function afterLines(text: string, place: number, most: number): { place: number; count: number } {
  let end = place;
  let count = 0;
  while (count < most && end < text.length) {
    end = text.indexOf('\n', end) + 1 || text.length;
    count += 1;
  }
  return { place: end, count };
}

/** The lines `first` to `last`, counted from 1, with their line ends. Splits no other lines. */
export function linesBetween(text: string, first: number, last: number): string[] {
  const start = afterLines(text, 0, first - 1).place;
  return splitLines(text.slice(start, afterLines(text, start, last - first + 1).place));
}

/** As `usualLineEnd`, without a copy of the lines. */
export function usualLineEndIn(text: string): LineEnd {
  let balance = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    balance += text[at - 1] === '\r' ? 1 : -1;
  return balance > 0 ? '\r\n' : '\n';
}

export function lineEndOf(line: string): LineEnd | '' {
  if (line.endsWith('\r\n')) return '\r\n';
  return line.endsWith('\n') ? '\n' : '';
}

export function withoutLineEnd(line: string): string {
  return line.slice(0, line.length - lineEndOf(line).length);
}

/** The line end of most lines; `\n` if neither prevails. */
export function usualLineEnd(lines: readonly string[]): LineEnd {
  let balance = 0;
  for (const line of lines) {
    if (line.endsWith('\r\n')) balance += 1;
    else if (line.endsWith('\n')) balance -= 1;
  }
  return balance > 0 ? '\r\n' : '\n';
}

/** How many items both begin with. */
export function commonPrefix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/** How many items both end with. */
export function commonSuffix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}

/** Where the line of the character at `index` begins. */
export function lineStartAt(text: string, index: number): number {
  // A negative start would count as 0, where the text may have a line feed.
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}
