// What stands for a secret where lengths have to hold: as long as the secret, and telling its placeholder.
import { stripTerminalCodes } from '../tools/strip-terminal-codes.ts';
import { secretKinds } from './secret-kinds.ts';

const KINDS = ['secret', ...new Set(secretKinds.map(({ name }) => name))];
const PLACEHOLDER = /^\[redacted:([a-z-]+)#([0-9a-f]{4})\]$/;
/** Behind a character of a mask that stands where JSON has an escape. */
const FILL = '^';
const FILLED = '\\^*';
const MASK = `~${FILLED}0${FILLED}[0-9a-z]${FILLED}(?:[0-9a-f]${FILLED}){4}`;
const MORE = `(?:~${FILLED})*`;
const SHORT_MASK = `~${FILLED}(?:[0-9a-z]${FILLED}){1,5}`;
/** Line breaks as they are, and as JSON has them. */
const BREAK = '(?:\\r?\\n|\\\\r\\\\n|\\\\n)';
/** A mask, and whole lines of the same secret behind it that are too short for a whole one. */
const MASKS = new RegExp(`(${MASK})${MORE}((?:${BREAK}+(?!${MASK})${SHORT_MASK}(?=${BREAK}|"|$))*)`, 'g');
const SHORT = new RegExp(SHORT_MASK, 'g');
const WHOLE_MASK = new RegExp(`^${MASK}${MORE}$`);

/** For one line of a secret, and what stands for that in the log. `length`: characters of the line where it is not in JSON. */
export function maskOf(placeholder: string, line: string, length = line.length): string {
  const [, kind = '', hash = ''] = PLACEHOLDER.exec(placeholder) ?? [];
  if (WHOLE_MASK.test(line)) return line;
  const name = KINDS.indexOf(kind).toString(36).padStart(2, '0');
  return `~${name}${hash}`.padEnd(length, '~').slice(0, length).padEnd(line.length, FILL);
}

/** A character of a mask in the room of another one, which JSON may have as an escape of 2 or 6. */
export function maskInRoom(character: string, room: number): string {
  if (room < 6) return character.padEnd(room, FILL);
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** With `filling` for what fills masks; without it they are as long as what they stand for where it is not in JSON. */
export function refilled(masked: string, filling: '' | '~'): string {
  return masked.replace(MASKS, (found) => found.replaceAll(FILL, filling));
}

/** With placeholders again. Where a mask has terminal codes in it, none of the text stays. */
export function unmasked(masked: string): string {
  if (!masked.includes('~')) return masked;
  const coded = masked.replace(MASKS, placeholdersOf);
  const read = stripTerminalCodes(masked).replace(MASKS, placeholdersOf);
  return stripTerminalCodes(coded) === read ? coded : read;
}

function placeholdersOf(found: string, filled: string, lines: string): string {
  const mask = withoutFill(filled);
  const kind = KINDS[Number.parseInt(mask.slice(1, 3), 36)];
  if (kind === undefined) return found;
  const placeholder = `[redacted:${kind}#${mask.slice(3)}]`;
  return (
    placeholder + lines.replace(SHORT, (line) => (mask.startsWith(withoutFill(line)) ? placeholder : line))
  );
}

function withoutFill(mask: string): string {
  return mask.replaceAll(FILL, '');
}
