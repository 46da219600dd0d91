import { basename } from 'node:path';
import { say } from '../../../protocol/say.ts';

// Where a text is cut, half a secret may be left, which would not be known again as one and taken out.

/** What may be a part of one. Longer ones are known again by their beginning. */
const LAST_WORD = /[\w.~+/=:@%-]{1,1000}$/;
/** Different characters that one has at least. */
const DIFFERENT = 6;

/** Of a text that is longer, the first `most` characters without the word in which they end. */
export function cutAtWord(text: string, most: number): string {
  return text.length <= most ? text : withoutLastWord(text.slice(0, most).replace(/[\uD800-\uDBFF]$/, ''));
}

/** Of a text that goes on. */
export function withoutLastWord(text: string): string {
  return text.replace(LAST_WORD, (word) => (new Set(word).size < DIFFERENT ? word : ''));
}

/** Lines that are shown of what may be very many. */
const MOST_LINES = 50;
const MOST_NAMES = 10;

/** The first ones, and how many there are besides. */
export function firstLines(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), say('And {0} more.', more)] : lines;
}

/** The names of files in a sentence. */
export function firstNames(paths: readonly string[]): string {
  const names = paths
    .slice(0, MOST_NAMES)
    .map((path) => basename(path))
    .join(', ');
  const more = paths.length - MOST_NAMES;
  return more > 0 ? say('{0} and {1} more', names, more) : names;
}
