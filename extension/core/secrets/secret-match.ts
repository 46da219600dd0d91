// Where a secret stands in a text, and which of its lines are hidden.
import { placeholderOf } from './placeholder.ts';

/** Line breaks as they are, and as JSON has them. */
const LINE_BREAKS = /(\r?\n|(?<!\\)\\r\\n|(?<!\\)\\n)/;
const JSON_ESCAPE = /\\(?:u[0-9a-f]{4}|.)/gi;

export interface FoundSecret {
  readonly at: number;
  /** Where the match begins: a name before the secret, such as `Authorization`, is a part of it. */
  readonly from: number;
  /** As it stands there. */
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
  /** Characters that the line has outside of JSON. */
  readonly length: number;
  /** The secret has other lines too. */
  readonly isPart: boolean;
}

export function endOf({ at, text }: { readonly at: number; readonly text: string }): number {
  return at + text.length;
}

/** What was found in a part of a text, in the whole text. The part begins at `place`. */
export function movedBy(place: number, found: readonly FoundSecret[]): FoundSecret[] {
  return found.map((secret) => ({ ...secret, at: place + secret.at, from: place + secret.from }));
}

/** Everything that `one` or `other` hides, in order. */
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

/** Each line of a secret is hidden, and line breaks stay, so the lines after it keep their numbers. */
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

/** Every other part of what is split at breaks is a break. */
function linesOf(text: string): string[] {
  return text.split(LINE_BREAKS).filter((_line, index) => index % 2 === 0);
}

/** `text` with what `by` gives for each line. */
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
