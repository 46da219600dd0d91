// Makes every hidden character of a text visible.

/** A piece of a text. The page shows a `hidden` piece as an escape. */
export interface TextPiece {
  readonly text: string;
  readonly hidden: boolean;
}

// Characters that are invisible, or change how their neighbors appear. A line feed is visible as such.
const invisible = /(?!\t)\p{Cc}|[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const unusualSpace = /[\t\u2800]|(?! )\p{Zs}/u;
const lenient = runsOf(invisible.source);
const strict = runsOf(`${invisible.source}|${unusualSpace.source}`);

function runsOf(characters: string): RegExp {
  return new RegExp(`((?:(?!\\n)(?:${characters}))+)`, 'u');
}

/**
 * Splits `text` at the characters that must be made visible; nothing is left out. `isStrict`: includes
 * characters that look like a space.
 */
export function visiblePieces(text: string, isStrict: boolean): TextPiece[] {
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
