// Text as it may be shown: with nothing hidden in it.

/** A piece of a text; `hidden` ones are shown as an escape instead of themselves. */
export interface Piece {
  readonly text: string;
  readonly hidden: boolean;
}

// What a reader cannot see, or what changes how its neighbours are shown. A line feed is seen as such.
const invisible = /(?!\t)\p{Cc}|[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const unusualSpace = /[\t\u2800]|(?! )\p{Zs}/u;
const lenient = runsOf(invisible.source);
const strict = runsOf(`${invisible.source}|${unusualSpace.source}`);

function runsOf(characters: string): RegExp {
  return new RegExp(`((?:(?!\\n)(?:${characters}))+)`, 'u');
}

/** `text` cut where characters have to be made visible, with nothing left out. `isStrict`: also what looks like a space. */
export function visiblePieces(text: string, isStrict: boolean): Piece[] {
  return text
    .split(isStrict ? strict : lenient)
    .map((piece, index) =>
      index % 2 === 0 ? { text: piece, hidden: false } : { text: escapes(piece), hidden: true },
    )
    .filter((piece) => piece.text !== '');
}

/** `text` on one line, with every hidden character as an escape. */
export function visibleText(text: string): string {
  return visiblePieces(text, true)
    .map((piece) => piece.text)
    .join('')
    .replaceAll('\n', ' ⏎ ');
}

function escapes(text: string): string {
  return Array.from(text, escapeOf).join('');
}

function escapeOf(character: string): string {
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
