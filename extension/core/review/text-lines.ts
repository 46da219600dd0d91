/** A text as lines of which any can be left out or put back. */
export interface TextLines {
  /** Without their line feeds. A return before the feed is a part of the line; the last one has it where all have. */
  readonly lines: readonly string[];
  /** The last line has a line feed too. */
  readonly isEnded: boolean;
}

export function textLines(text: string): TextLines {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  if (last === '') return { lines, isEnded: lines.length > 0 };
  const hasReturn = last.endsWith('\r') || (lines.length > 0 && lines.every((line) => line.endsWith('\r')));
  return { lines: [...lines, hasReturn ? `${last}\r` : last], isEnded: false };
}

/** The text that `textLines` was given. */
export function joinLines({ lines, isEnded }: TextLines): string {
  const text = lines.join('\n');
  if (isEnded && lines.length > 0) return `${text}\n`;
  return text.replace(/\r$/, '');
}

/** What a person reads as the line. */
export function shownLine(text: string): string {
  return text.replace(/\r$/, '');
}
