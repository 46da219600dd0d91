import type { TextEncoding, TextFile } from '../base/text/encoding.ts';

/** `lines` replace the lines from `start` to `end` (exclusive) of an earlier text. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A text that is already cut into `lines`. `content` is the whole text, if it is still in memory. */
export interface CutText {
  readonly lines: readonly { readonly text: string }[];
  readonly content?: TextContent | undefined;
}

/** Most characters per comparison. */
const LARGEST_STEP = 65_536;

/** A text that cuts lines on demand: in a long file with one changed place, only the lines there. */
export class TextContent implements TextLines {
  readonly isEnded: boolean;
  readonly encoding: TextEncoding;
  readonly #text: string;
  #lines: readonly string[] | undefined;

  constructor({ text, encoding }: TextFile) {
    this.#text = text;
    this.encoding = encoding;
    this.isEnded = text.endsWith('\n');
  }

  get lines(): readonly string[] {
    this.#lines ??= textLines(this.#text).lines;
    return this.#lines;
  }

  /** How this text differs from an earlier one: skips equal lines at the start and at the end. */
  changeOf({ lines, content }: CutText): LineChange {
    if (!content || content.isEnded !== this.isEnded || !this.#isPlain || !content.#isCutInto(lines))
      return { start: 0, end: lines.length, lines: this.lines };
    const { start, from } = this.#sameAtStart(lines, content.#text);
    const { end, to } = this.#sameAtEnd(lines, content.#text, { start, from });
    const rest = this.#text.slice(from, to);
    const middle = rest.endsWith('\n') ? rest.slice(0, -1) : rest;
    return { start, end, lines: rest === '' ? [] : detached(middle).split('\n') };
  }

  /** Every line is exactly the text between two line feeds; `textLines` adds no carriage return. */
  get #isPlain(): boolean {
    return this.isEnded || !this.#text.includes('\r');
  }

  /** `lines` are exactly this text's lines: the last one has no carriage return that `textLines` added. */
  #isCutInto(lines: CutText['lines']): boolean {
    return this.#isPlain && (this.isEnded || this.#text.endsWith(lines.at(-1)?.text ?? ''));
  }

  #sameAtStart(lines: CutText['lines'], old: string): { start: number; from: number } {
    const same = sameLength(old, this.#text, Math.min(old.length, this.#text.length), false);
    let [start, from] = [0, 0];
    for (const { text } of lines) {
      if (from + text.length + 1 > same) break;
      [start, from] = [start + 1, from + text.length + 1];
    }
    return { start, from };
  }

  #sameAtEnd(
    lines: CutText['lines'],
    old: string,
    { start, from }: { start: number; from: number },
  ): { end: number; to: number } {
    const same = sameLength(old, this.#text, Math.min(old.length, this.#text.length) - from, true);
    let [end, to] = [lines.length, this.#text.length];
    while (end > start) {
      const length = (lines[end - 1]?.text.length ?? 0) + (this.isEnded || end < lines.length ? 1 : 0);
      const at = to - length;
      if (this.#text.length - at > same || (at > from && this.#text[at - 1] !== '\n')) break;
      [end, to] = [end - 1, at];
    }
    return { end, to };
  }
}

/** Counts the equal characters at the start or at the end, up to `limit`. */
function sameLength(one: string, other: string, limit: number, atEnd: boolean): number {
  const piece = (text: string, from: number, to: number) =>
    atEnd ? text.slice(text.length - to, text.length - from) : text.slice(from, to);
  let same = 0;
  for (let step = LARGEST_STEP; step >= 1; step /= 4)
    while (same + step <= limit && piece(one, same, same + step) === piece(other, same, same + step))
      same += step;
  return same;
}

/** Copies the text, because a slice would keep the whole original in memory. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}

/** A text as lines, any of which can be removed or put back. */
export interface TextLines {
  /**
   * Without line feeds. A carriage return before the feed is part of the line. An unended last line gets one
   * if all other lines have one.
   */
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

/** Returns the exact text that `textLines` received. */
export function joinLines({ lines, isEnded }: TextLines): string {
  const text = lines.join('\n');
  if (isEnded && lines.length > 0) return `${text}\n`;
  return text.replace(/\r$/, '');
}

/** The line as the user reads it. */
export function shownLine(text: string): string {
  return text.replace(/\r$/, '');
}
