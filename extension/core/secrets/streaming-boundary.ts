// Finds where an incomplete text may end with a part of a secret.
import { begunEscape, hasTerminalCodes } from '../base/text/terminal-codes.ts';
import type { SecretFilter } from './secret-filter.ts';
import { endOf, type FoundSecret } from './secret-match.ts';
import { CHANCE, LONGEST_SECRET, STARTS, secretKinds } from './secret-patterns.ts';
import { TerminalText } from './terminal-text.ts';

const OPEN = new RegExp(`(?:${secretKinds.map(({ open }) => open).join('|')})$`);

/**
 * Returns the length of the settled part of `text`. No later text changes which secrets are in that part.
 *
 * An example: `It is ghp_aB3` ends with the possible beginning of a token. The result is 6, the length of the
 * text before `ghp_`. Then ` ok` arrives, and the text is `ghp_aB3 ok`. That is too short for a token, and no
 * token continues here. The result is 10, the whole text.
 */
export function settledPrefixLength(text: string, secrets: SecretFilter, isOutput = false): number {
  if (!secrets.mayHold(text)) return text.length;
  const end = settledIn(text, secrets.find(text), secrets);
  if (!hasTerminalCodes(text)) return end;
  const read = new TerminalText(text, isOutput);
  const { at = 0, text: rest = '' } = read.pieces.at(-1) ?? {};
  if (rest === text) return end;
  const found = secrets.secretsIn(read);
  const ends = [settledIn(read.text, found, secrets), at + settledIn(rest, secrets.find(rest), secrets)];
  const place = Math.min(end, begunEscape(text), ...ends.map((index) => read.placeOf(index)));
  // A later code may separate this secret from the next one.
  const parted = found.find(
    (secret) => read.placeOf(secret.at) < place && place <= read.placeOf(endOf(secret) - 1),
  );
  return parted ? read.placeOf(parted.from) : place;
}

function settledIn(text: string, found: readonly FoundSecret[], secrets: SecretFilter): number {
  const end = openFrom(text, secrets.forms);
  const isEnd = found.length > 0 && found.some((secret) => secret.at < end && end < endOf(secret));
  // The end of a secret may look like the beginning of one.
  return isEnd ? text.length : end;
}

/** Where in `text` the first possible secret begins. The length of `text` if there is none. */
function openFrom(text: string, forms: readonly string[]): number {
  const from = Math.max(0, text.length - LONGEST_SECRET);
  const open = text.slice(from).search(OPEN);
  const begun = Math.min(beginningIn(text, STARTS), beginningIn(text, forms));
  return open < 0 ? begun : Math.min(from + open, begun);
}

/**
 * The index of the longest end of `text` that is a proper beginning of one of `literals`. The length of
 * `text` if there is none.
 */
function beginningIn(text: string, literals: readonly string[]): number {
  let begins = text.length;
  for (const literal of literals) {
    const first = literal.charAt(0);
    let at = text.indexOf(first, Math.max(0, text.length - literal.length + 1));
    while (at >= 0 && at < begins) {
      if (literal.startsWith(text.slice(at)) && mayBegin(text, at)) begins = at;
      else at = text.indexOf(first, at + 1);
    }
  }
  return begins;
}

/** A short beginning in the middle of a word counts as part of that word. */
function mayBegin(text: string, at: number): boolean {
  return text.length - at > CHANCE || at === 0 || /\W/.test(text.charAt(at - 1));
}
