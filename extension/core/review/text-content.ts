import type { Encoding, TextFile } from '../base/text/encoding.ts';

/** What has come in the place of lines `start` to `end` (not with it) of an earlier text. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A text that is cut into these lines already, where it is still known as a whole. */
export interface CutText {
  readonly lines: readonly { readonly text: string }[];
  readonly content?: TextContent | undefined;
}

/** Characters that are compared at once. */
const LARGEST_STEP = 65_536;

/** A text whose lines are cut where they are wanted: of a long file that has changed in one place, those there. */
export class TextContent implements TextLines {
  readonly isEnded: boolean;
  readonly encoding: Encoding;
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

  /** Where it differs from an earlier text, but for lines at the start and at the end that are the same. */
  changeOf({ lines, content }: CutText): LineChange {
    if (!content || content.isEnded !== this.isEnded || !this.#isPlain || !content.#isCutInto(lines))
      return { start: 0, end: lines.length, lines: this.lines };
    const { start, from } = this.#sameAtStart(lines, content.#text);
    const { end, to } = this.#sameAtEnd(lines, content.#text, { start, from });
    const rest = this.#text.slice(from, to);
    const middle = rest.endsWith('\n') ? rest.slice(0, -1) : rest;
    return { start, end, lines: rest === '' ? [] : detached(middle).split('\n') };
  }

  /** Each line is what stands between two line feeds (`textLines`). */
  get #isPlain(): boolean {
    return this.isEnded || !this.#text.includes('\r');
  }

  /** As it stands, and not with a return at its end that is only supposed. */
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

/** How many characters, `limit` at most, are the same at the start or at the end. */
function sameLength(one: string, other: string, limit: number, atEnd: boolean): number {
  const piece = (text: string, from: number, to: number) =>
    atEnd ? text.slice(text.length - to, text.length - from) : text.slice(from, to);
  let same = 0;
  for (let step = LARGEST_STEP; step >= 1; step /= 4)
    while (same + step <= limit && piece(one, same, same + step) === piece(other, same, same + step))
      same += step;
  return same;
}

/** A part of a text keeps the whole of it in memory. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}

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
