// Masks stand for secrets where lengths have to hold. A mask is as long as its secret and tells its placeholder. An example:
// `~1c1a2b~~~.` is `~`, `1` (the secret has other lines), `c` (its kind), `1a2b` (its hash), and what fills it up.
import type { HiddenLine } from './secret-match.ts';
import { secretKinds } from './secret-patterns.ts';
import { TerminalText } from './terminal-text.ts';

const KINDS = ['secret', ...new Set(secretKinds.map(({ name }) => name))];
const PLACEHOLDER = /^\[redacted:([a-z-]+)#([0-9a-f]{4})\]$/;
/** Ends a mask. A `~` after it is no part of the mask. */
const END = '.';
/** Fills up a mask where JSON needs two or six characters for one. */
const FILL = '^';
const FILLED = '\\^*';
/** Characters of the shortest whole mask. For a shorter line of a secret, the mask is cut. */
const SHORTEST = 8;
const HASH = `(?:[0-9a-f]${FILLED}){4}`;
const maskOfKind = (flag: string) =>
  `~${FILLED}${flag}${FILLED}[0-9a-z]${FILLED}${HASH}(?:~${FILLED})*\\${END}`;
const MASK = maskOfKind('[01]');
/** For a secret with several lines. */
const LINE_MASK = maskOfKind('1');
/** For a password in an address: no other secret is shorter than `SHORTEST`. */
const SHORT_PASSWORD = `~[0-9a-f]{4}~?\\${END}`;
const SHORT_LINE = `~${FILLED}(?:[0-9a-z]${FILLED}){0,6}`;
/** Line breaks as they are, and as JSON has them. */
const BREAK = '(?:\\r?\\n|\\\\r\\\\n|\\\\n)';
/** A mask, then shorter lines of the same secret, then the mask after those. */
const MASKS = new RegExp(
  `(${MASK})(?:((?:${BREAK}+${SHORT_LINE})+)(?=${BREAK}+(${LINE_MASK})))?|(?<=:)${SHORT_PASSWORD}(?=@)`,
  'g',
);
const SHORT_LINES = new RegExp(SHORT_LINE, 'g');
const WHOLE_MASK = new RegExp(`^(?:${MASK}|${SHORT_PASSWORD})$`);
const PASSWORD = 'url-password';

type Mask = Pick<HiddenLine, 'at' | 'text' | 'placeholder'>;

/** A mask is no secret. */
export function isMask(text: string): boolean {
  return WHOLE_MASK.test(text);
}

export function maskOf({ text, placeholder, length, isPart }: HiddenLine): string {
  const [, kind = '', hash = ''] = PLACEHOLDER.exec(placeholder) ?? [];
  if (length < SHORTEST && !isPart) return `~${hash}`.padEnd(length - 1, '~') + END;
  const head = `~${isPart ? 1 : 0}${KINDS.indexOf(kind).toString(36)}${hash}`;
  if (length < SHORTEST) return head.slice(0, length).padEnd(text.length, FILL);
  return head.padEnd(length - 1, '~').padEnd(text.length - 1, FILL) + END;
}

/** A character of a mask, filled up to `room`: JSON may have needed 2 or 6 characters for what it hides. */
export function maskInRoom(character: string, room: number): string {
  if (room < 6) return character === END ? character.padStart(room, FILL) : character.padEnd(room, FILL);
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** With `filling` for each `FILL`. With an empty one, masks are as long as their secrets are outside of JSON. */
export function refilled(masked: string, filling: '' | '~'): string {
  return masked.replace(MASKS, (found) => found.replaceAll(FILL, filling));
}

/** With placeholders for masks. */
export function unmasked(masked: string): string {
  if (!masked.includes('~')) return masked;
  const read = new TerminalText(masked, true);
  return read.hiding([...read.text.matchAll(MASKS)].flatMap(masksIn));
}

function masksIn({ 0: found, 1: filled, 2: lines = '', 3: next = '', index }: RegExpExecArray): Mask[] {
  const mask = withoutFill(filled ?? found);
  const placeholder = placeholderIn(mask, filled === undefined);
  if (placeholder === undefined) return [];
  const first = { at: index, text: filled ?? found, placeholder };
  if (withoutFill(next).slice(0, SHORTEST - 1) !== mask.slice(0, SHORTEST - 1)) return [first];
  const behind = index + first.text.length;
  const short = [...lines.matchAll(SHORT_LINES)].filter(([line]) => mask.startsWith(withoutFill(line)));
  return [first, ...short.map(({ 0: text, index: at }) => ({ at: behind + at, text, placeholder }))];
}

function placeholderIn(mask: string, isPassword: boolean): string | undefined {
  if (isPassword) return `[redacted:${PASSWORD}#${mask.slice(1, 5)}]`;
  const kind = KINDS[Number.parseInt(mask.charAt(2), 36)];
  return kind && `[redacted:${kind}#${mask.slice(3, SHORTEST - 1)}]`;
}

function withoutFill(mask: string): string {
  return mask.replaceAll(FILL, '');
}
