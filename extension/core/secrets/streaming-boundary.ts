// Where a text that is still coming may end in a part of a secret.
import { begunEscape } from '../base/text/terminal-codes.ts';
import type { SecretFilter } from './secret-filter.ts';
import { endOf, type FoundSecret } from './secret-match.ts';
import { LONGEST_SECRET, secretKinds } from './secret-patterns.ts';
import { TerminalText } from './terminal-text.ts';

/** In the middle of a word, so many characters of a secret's beginning are taken for a part of the word. */
const CHANCE = 3;
const OPEN = new RegExp(`(?:${secretKinds.map(({ open }) => open).join('|')})$`);
const STARTS = secretKinds.flatMap(({ starts }) => starts);

/** Characters of `text` in which nothing that may still come behind it changes what is a secret. */
export function settledPrefixLength(text: string, secrets: SecretFilter, isOutput = false): number {
  const end = settledIn(text, secrets.find(text), secrets);
  const read = new TerminalText(text, isOutput);
  const { at = 0, text: rest = '' } = read.pieces.at(-1) ?? {};
  if (rest === text) return end;
  const found = secrets.secretsIn(read);
  const ends = [settledIn(read.text, found, secrets), at + settledIn(rest, secrets.find(rest), secrets)];
  const place = Math.min(end, begunEscape(text), ...ends.map((index) => read.placeOf(index)));
  // What comes may part it from another one.
  const parted = found.find(
    (secret) => read.placeOf(secret.at) < place && place <= read.placeOf(endOf(secret) - 1),
  );
  return parted ? read.placeOf(parted.from) : place;
}

function settledIn(text: string, found: readonly FoundSecret[], secrets: SecretFilter): number {
  const end = openFrom(text, secrets.forms);
  const isEnd = found.some((secret) => secret.at < end && end < endOf(secret));
  // It is the end of a secret that looks like the beginning of one.
  return isEnd ? text.length : end;
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

/** Characters at the end of `text` that `literal` begins with, but not the whole of it; `mayBegin` where it may begin in `text`. */
export function overlap(
  text: string,
  literal: string,
  mayBegin: (text: string, at: number) => boolean = () => true,
): number {
  const first = literal.charAt(0);
  let at = text.indexOf(first, Math.max(0, text.length - literal.length + 1));
  while (at >= 0 && !(literal.startsWith(text.slice(at)) && mayBegin(text, at)))
    at = text.indexOf(first, at + 1);
  return at < 0 ? 0 : text.length - at;
}
