import { basename } from 'node:path';
import { say } from '../../../protocol/say.ts';

// A cut may leave half a secret, which the filter would not recognize and remove.

/** A word that may be part of a secret. The filter recognizes longer secrets by their beginning. */
const LAST_WORD = /[\w.~+/=:@%-]{1,1000}$/;
const FIRST_WORD = /^[\w.~+/=:@%-]{1,1000}/;
/** A secret has at least this many different characters. */
const DIFFERENT = 6;

/** Cuts a longer text to its first `most` characters, without the last word, which may be cut. */
export function cutAtWord(text: string, most: number): string {
  return text.length <= most ? text : withoutLastWord(text.slice(0, most).replace(/[\uD800-\uDBFF]$/, ''));
}

/** Removes the last word of a text that was cut. */
export function withoutLastWord(text: string): string {
  return text.replace(LAST_WORD, unlessSecret);
}

/** Removes the first word of a text whose beginning was cut. */
export function withoutFirstWord(text: string): string {
  return text.replace(FIRST_WORD, unlessSecret);
}

function unlessSecret(word: string): string {
  return new Set(word).size < DIFFERENT ? word : '';
}

/** The most lines and names that are shown. */
const MOST_LINES = 50;
const MOST_NAMES = 10;

/** The first lines, and the number of the others. */
export function firstLines(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), say('And {0} more.', more)] : lines;
}

/** The first file names as part of a sentence, and the number of the others. */
export function firstNames(paths: readonly string[]): string {
  const names = paths
    .slice(0, MOST_NAMES)
    .map((path) => basename(path))
    .join(', ');
  const more = paths.length - MOST_NAMES;
  return more > 0 ? say('{0} and {1} more', names, more) : names;
}
