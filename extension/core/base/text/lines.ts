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
