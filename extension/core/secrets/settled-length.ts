// Where a text that is still coming may end in a part of a secret.
import { begunEscape } from '../tools/strip-terminal-codes.ts';
import { overlap } from './overlap.ts';
import type { SecretFilter } from './secret-filter.ts';
import { LONGEST_SECRET, secretKinds } from './secret-kinds.ts';
import { ReadText } from './through-codes.ts';

/** In the middle of a word, so many characters of a secret's beginning are taken for a part of the word. */
const CHANCE = 3;
const OPEN = new RegExp(`(?:${secretKinds.map(({ open }) => open).join('|')})$`);
const STARTS = secretKinds.flatMap(({ starts }) => starts);

/** Characters of `text` in which nothing that may still come behind it changes what is a secret. */
export function settledLength(text: string, secrets: SecretFilter, isOutput = false): number {
  const end = settledIn(text, secrets);
  if (!ReadText.differs(text, isOutput)) return end;
  const read = new ReadText(text, isOutput);
  return Math.min(end, begunEscape(text), read.placeOf(settledIn(read.text, secrets)));
}

function settledIn(text: string, secrets: SecretFilter): number {
  const end = openFrom(text, secrets.forms);
  const clean = secrets.text(text);
  if (clean === text) return end;
  const cut = secrets.text(text.slice(0, end)) + secrets.text(text.slice(end));
  // Otherwise it is the end of a secret that looks like the beginning of one.
  return cut === clean ? end : text.length;
}

/** Where in `text` something begins that may go on to be a secret; its length where nothing does. */
function openFrom(text: string, forms: readonly string[]): number {
  const from = Math.max(0, text.length - LONGEST_SECRET);
  const open = text.slice(from).search(OPEN);
  const begun = Math.min(beginningIn(text, STARTS), beginningIn(text, forms));
  return open < 0 ? begun : Math.min(from + open, begun);
}

/** Where the longest end of `text` begins that is the beginning of one of `literals`. */
function beginningIn(text: string, literals: readonly string[]): number {
  return Math.min(text.length, ...literals.map((literal) => text.length - overlap(text, literal, mayBegin)));
}

function mayBegin(text: string, at: number): boolean {
  return text.length - at > CHANCE || at === 0 || /\W/.test(text.charAt(at - 1));
}
