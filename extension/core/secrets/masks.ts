// What stands for a secret where lengths have to hold: as long as the secret, and telling its placeholder.
import { stripTerminalCodes } from '../tools/strip-terminal-codes.ts';
import { secretKinds } from './secret-kinds.ts';

const KINDS = ['secret', ...new Set(secretKinds.map(({ name }) => name))];
const PLACEHOLDER = /^\[redacted:([a-z-]+)#([0-9a-f]{4})\]$/;
const MASK = '~0[0-9a-z][0-9a-f]{4}';
/** Line breaks as they are, and as JSON has them. */
const BREAK = '(?:\\r?\\n|\\\\r\\\\n|\\\\n)';
/** A mask, and lines of the same secret behind it that are too short for a whole one. */
const MASKS = new RegExp(`(${MASK})~*((?:${BREAK}+(?!${MASK})~[0-9a-z]{0,5})*)`, 'g');
const SHORT = /~[0-9a-z]{0,5}/g;
const WHOLE_MASK = new RegExp(`^${MASK}~*$`);

/** For one line of a secret, and what stands for that in the log. */
export function maskOf(placeholder: string, line: string): string {
  const [, kind = '', hash = ''] = PLACEHOLDER.exec(placeholder) ?? [];
  if (WHOLE_MASK.test(line)) return line;
  const name = KINDS.indexOf(kind).toString(36).padStart(2, '0');
  return `~${name}${hash}`.padEnd(line.length, '~').slice(0, line.length);
}

/** With placeholders again. Where a mask has terminal codes in it, none of the text stays. */
export function unmasked(masked: string): string {
  const coded = masked.replace(MASKS, placeholdersOf);
  const read = stripTerminalCodes(masked).replace(MASKS, placeholdersOf);
  return stripTerminalCodes(coded) === read ? coded : read;
}

function placeholdersOf(found: string, mask: string, lines: string): string {
  const kind = KINDS[Number.parseInt(mask.slice(1, 3), 36)];
  if (kind === undefined) return found;
  const placeholder = `[redacted:${kind}#${mask.slice(3)}]`;
  return placeholder + lines.replace(SHORT, (line) => placeholder + line.slice(common(line, mask)));
}

/** Characters with which both begin. */
function common(one: string, other: string): number {
  const different = [...one].findIndex((character, index) => character !== other[index]);
  return different < 0 ? one.length : different;
}
