// Masks replace secrets where lengths must stay the same. A mask is as long as its secret and encodes its
// placeholder. An example: `~1c1a2b~~~.` is `~`, `1` (the secret has other lines), `c` (its kind), `1a2b`
// (its hash), and fill.
import type { HiddenLine } from './secret-match.ts';
import { secretKinds } from './secret-patterns.ts';
import { TerminalText } from './terminal-text.ts';

const KINDS = ['secret', ...new Set(secretKinds.map(({ name }) => name))];
const PLACEHOLDER = /^\[redacted:([a-z-]+)#([0-9a-f]{4})\]$/;
/** Ends a mask. A `~` after it is not part of the mask. */
const END = '.';
/** Fills a mask where JSON needs two or six characters for one. */
const FILL = '^';
const FILLED = '\\^*';
/** The length of the shortest complete mask. For a shorter line of a secret, the mask is cut. */
const SHORTEST = 8;
const HASH = `(?:[0-9a-f]${FILLED}){4}`;
const maskOfKind = (flag: string) =>
  `~${FILLED}${flag}${FILLED}[0-9a-z]${FILLED}${HASH}(?:~${FILLED})*\\${END}`;
const MASK = maskOfKind('[01]');
/** The mask of a line of a secret with several lines. */
const LINE_MASK = maskOfKind('1');
/** The mask of a password in an address. No other secret is shorter than `SHORTEST`. */
const SHORT_PASSWORD = `~[0-9a-f]{4}~?\\${END}`;
const SHORT_LINE = `~${FILLED}(?:[0-9a-z]${FILLED}){0,6}`;
/** Line breaks, plain or escaped in JSON. */
const BREAK = '(?:\\r?\\n|\\\\r\\\\n|\\\\n)';
/** Matches a mask, then shorter lines of the same secret, then the mask after those. */
const MASKS = new RegExp(
  `(${MASK})(?:((?:${BREAK}+${SHORT_LINE})+)(?=${BREAK}+(${LINE_MASK})))?|(?<=:)${SHORT_PASSWORD}(?=@)`,
  'g',
);
const SHORT_LINES = new RegExp(SHORT_LINE, 'g');
const WHOLE_MASK = new RegExp(`^(?:${MASK}|${SHORT_PASSWORD})$`);
const PASSWORD = 'url-password';

type Mask = Pick<HiddenLine, 'at' | 'text' | 'placeholder'>;

/** Whether `text` is a whole mask. The filter must not take a mask for a secret. */
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

/** A character of a mask, filled to `room`. JSON may write the hidden character with 2 or 6 characters. */
export function maskInRoom(character: string, room: number): string {
  if (room < 6) return character === END ? character.padStart(room, FILL) : character.padEnd(room, FILL);
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Replaces each `FILL` in masks with `filling`. An empty one gives masks the length of the unescaped secrets.
 */
export function refilled(masked: string, filling: '' | '~'): string {
  return masked.replace(MASKS, (found) => found.replaceAll(FILL, filling));
}

/** Replaces masks with placeholders. */
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
