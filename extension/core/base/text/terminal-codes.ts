// What a terminal would obey and a reader should not see: escape sequences of ECMA-48 and the other control characters.
// A command could otherwise colour, overwrite or forge what is read of it. Line feeds, carriage returns and tabs stay.

const STRING = '(?:\\x1b[PX^_]|[\\x90\\x98\\x9e\\x9f])';
/** Stops at the next string, which keeps the work linear. */
const BODY = '[^\\x1b\\x90\\x98\\x9c\\x9e\\x9f]';
const BODY_OF_LINE = '[^\\x1b\\x90\\x98\\x9c\\x9e\\x9f\\r\\n]';
const OPERATING_SYSTEM_COMMAND = '(?:\\x1b\\]|\\x9d)';
const END = '(?:\\x1b\\\\|\\x9c)';
const CONTROL_SEQUENCE = '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?';
const ESCAPE = '\\x1b[ -/]*[0-~]?';
/** Source of an expression: every terminal code begins with one of these. */
export const CONTROLS = '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]';

const LONGEST_BEGUN = 500;
const SEQUENCE_BEGINS = '\\x1b\\x90\\x98\\x9b\\x9d-\\x9f';
const SEQUENCE = [
  `${OPERATING_SYSTEM_COMMAND}[^\\x07\\x1b\\x9c\\r\\n]*(?:\\x07|${END})?`,
  `${STRING}${BODY}*${END}`,
  `${STRING}${BODY_OF_LINE}*`,
  CONTROL_SEQUENCE,
  ESCAPE,
].join('|');

/** Source of an expression. A string that is not ended reaches to the end of its line, so that it cannot swallow what follows. */
export const TERMINAL_CODE = `${SEQUENCE}|${CONTROLS}`;
const codes = new RegExp(TERMINAL_CODE, 'g');
const sequences = new RegExp(SEQUENCE, 'g');
/** What begins at the end of a text and may go on. */
const BEGUN = [
  `(?:${OPERATING_SYSTEM_COMMAND}|${STRING})[^\\x07\\x1b\\x9c\\r\\n]{0,400}\\x1b?`,
  '(?:\\x1b\\[|\\x9b)[0-?]{0,40}[ -/]{0,40}',
  '\\x1b[ -/]{0,40}',
].join('|');
const begun = new RegExp(`(?:${BEGUN})$`);
const anySequence = new RegExp(`[${SEQUENCE_BEGINS}]`);
const anyControl = new RegExp(CONTROLS);

export function stripTerminalCodes(text: string): string {
  return text.replace(codes, '');
}

/** Where an escape sequence begins that `text` ends in; its length where there is none. */
export function begunEscape(text: string): number {
  const end = text.slice(-LONGEST_BEGUN);
  const at = end.search(begun);
  return at < 0 ? text.length : text.length - end.length + at;
}

interface CodePlace {
  readonly index: number;
  readonly length: number;
}

/** Where what is stripped stands in `text`, in order. */
export function codesIn(text: string): readonly CodePlace[] {
  return placesOf(text, codes);
}

/** The same of the escape sequences alone. */
export function escapesIn(text: string): readonly CodePlace[] {
  return placesOf(text, sequences);
}

function placesOf(text: string, expression: RegExp): readonly CodePlace[] {
  return [...text.matchAll(expression)].map(({ index, 0: { length } }) => ({ index, length }));
}

/** There may be some. */
export function hasEscapes(text: string): boolean {
  return anySequence.test(text);
}

/** There is something to strip: each code begins with a control character. */
export function hasTerminalCodes(text: string): boolean {
  return anyControl.test(text);
}

// Where the output of a command may be cut: neither within a terminal code, whose rest would be read as text, nor within
// a character.

/** Characters of a code; one that is longer may be cut. */
const LONGEST_CODE = 16_000;
const introducers = '\x1b\x90\x98\x9b\x9d\x9e\x9f';
const codeHere = new RegExp(TERMINAL_CODE, 'y');

/** The last place up to `index` where `output` may be cut. */
export function cutBefore(output: string, index: number): number {
  const code = codeAround(output, index);
  // What ends a code begins as a code of its own.
  if (code) return cutBefore(output, code.start);
  return splitsCharacter(output, index) ? index - 1 : index;
}

/** The first place from `index` on where `output` may be cut. */
export function cutAfter(output: string, index: number): number {
  const end = codeAround(output, index)?.end ?? index;
  return splitsCharacter(output, end) ? end + 1 : end;
}

/** The code that begins before `index` and ends behind it. */
function codeAround(output: string, index: number): { start: number; end: number } | undefined {
  let start = index - 1;
  const first = Math.max(0, index - LONGEST_CODE);
  while (start >= first && !introducers.includes(output.charAt(start))) start -= 1;
  if (start < first) return undefined;
  codeHere.lastIndex = start;
  const end = start + (codeHere.exec(output)?.[0].length ?? 0);
  return end > index ? { start, end } : undefined;
}

function splitsCharacter(text: string, index: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(index - 1, 0), index + 1));
}
