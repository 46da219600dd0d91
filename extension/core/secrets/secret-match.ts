// Places of secrets in a text, and the lines of them that are hidden.
import { placeholderOf } from './placeholder.ts';

/** Line breaks, plain or escaped in JSON. */
const LINE_BREAKS = /(\r?\n|(?<!\\)\\r\\n|(?<!\\)\\n)/;
const JSON_ESCAPE = /\\(?:u[0-9a-f]{4}|.)/gi;

export interface FoundSecret {
  readonly at: number;
  /** Where the match begins. The match includes a name before the secret, such as `Authorization`. */
  readonly from: number;
  /** The secret as it is written in the text. */
  readonly text: string;
  readonly kind: string;
  /** The secret that `text` is a form of. */
  readonly secret: string;
}

/** One line of a secret. */
export interface HiddenLine {
  readonly at: number;
  readonly text: string;
  readonly placeholder: string;
  /** The number of characters that the line has outside of JSON. */
  readonly length: number;
  /** The secret has other lines too. */
  readonly isPart: boolean;
}

export function endOf({ at, text }: { readonly at: number; readonly text: string }): number {
  return at + text.length;
}

/** Converts places in a part of a text to places in the whole text. The part begins at `place`. */
export function movedBy(place: number, found: readonly FoundSecret[]): FoundSecret[] {
  return found.map((secret) => ({ ...secret, at: place + secret.at, from: place + secret.from }));
}

/** Everything that `one` or `other` hides, in order and without overlaps. */
export function together(one: readonly FoundSecret[], other: readonly FoundSecret[]): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const next of [...one, ...other].sort((a, b) => a.at - b.at || endOf(b) - endOf(a))) {
    const last = found.at(-1);
    if (last && endOf(next) <= endOf(last)) continue;
    if (last && next.at < endOf(last)) found.splice(-1, 1, upTo(next.at, last));
    found.push(next);
  }
  return found;
}

function upTo(end: number, found: FoundSecret): FoundSecret {
  const text = found.text.slice(0, end - found.at);
  return { ...found, text, secret: text };
}

/** Hides each line of a secret. Line breaks stay, so later lines keep their numbers. */
export function hiddenLines({ at, text, kind, secret }: FoundSecret): HiddenLine[] {
  const placeholder = placeholderOf(kind, linesOf(secret).join(''));
  const lengthOf = (line: string) => (text === secret ? line : line.replace(JSON_ESCAPE, '.')).length;
  const hidden: HiddenLine[] = [];
  const lines = text.split(LINE_BREAKS);
  let place = at;
  for (const [index, line] of lines.entries()) {
    if (index % 2 === 0 && line !== '')
      hidden.push({ at: place, text: line, placeholder, length: lengthOf(line), isPart: lines.length > 1 });
    place += line.length;
  }
  return hidden;
}

/** `split` puts the breaks at odd indexes. */
function linesOf(text: string): string[] {
  return text.split(LINE_BREAKS).filter((_line, index) => index % 2 === 0);
}

/** Returns `text` with each line replaced by the result of `by`. */
export function replaceInLines<Line extends { readonly at: number; readonly text: string }>(
  text: string,
  lines: readonly Line[],
  by: (line: Line) => string,
): string {
  let result = '';
  let end = 0;
  for (const line of lines) {
    result += text.slice(end, line.at) + by(line);
    end = endOf(line);
  }
  return result + text.slice(end);
}
