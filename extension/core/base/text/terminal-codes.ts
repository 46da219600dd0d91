// Terminal codes: escape sequences of ECMA-48 and other control characters, which a reader should not see.
// With them, a command could color, overwrite or forge what the user reads of its output. Line feeds,
// carriage returns and tabs stay.

const STRING = '(?:\\x1b[PX^_]|[\\x90\\x98\\x9e\\x9f])';
/** Stops at the next string, so that matching stays linear. */
const BODY = '[^\\x1b\\x90\\x98\\x9c\\x9e\\x9f]';
const BODY_OF_LINE = '[^\\x1b\\x90\\x98\\x9c\\x9e\\x9f\\r\\n]';
const OPERATING_SYSTEM_COMMAND = '(?:\\x1b\\]|\\x9d)';
const END = '(?:\\x1b\\\\|\\x9c)';
const CONTROL_SEQUENCE = '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?';
const ESCAPE = '\\x1b[ -/]*[0-~]?';
/** Source of a regular expression. Every terminal code begins with one of these characters. */
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

/**
 * Source of a regular expression. An unterminated string ends with its line, so that it cannot swallow the
 * text after it.
 */
export const TERMINAL_CODE = `${SEQUENCE}|${CONTROLS}`;
const codes = new RegExp(TERMINAL_CODE, 'g');
const sequences = new RegExp(SEQUENCE, 'g');
/** An incomplete sequence at the end of a text. */
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

/** The start of an incomplete escape sequence at the end of `text`; its length if there is none. */
export function begunEscape(text: string): number {
  const end = text.slice(-LONGEST_BEGUN);
  const at = end.search(begun);
  return at < 0 ? text.length : text.length - end.length + at;
}

interface CodePlace {
  readonly index: number;
  readonly length: number;
}

/** The places in `text`, in order, that `stripTerminalCodes` removes. */
export function codesIn(text: string): readonly CodePlace[] {
  return placesOf(text, codes);
}

/** The places of the escape sequences alone. */
export function escapesIn(text: string): readonly CodePlace[] {
  return placesOf(text, sequences);
}

function placesOf(text: string, expression: RegExp): readonly CodePlace[] {
  return [...text.matchAll(expression)].map(({ index, 0: { length } }) => ({ index, length }));
}

/** There may be escape sequences. */
export function hasEscapes(text: string): boolean {
  return anySequence.test(text);
}

/** There is something to strip: each code begins with a control character. */
export function hasTerminalCodes(text: string): boolean {
  return anyControl.test(text);
}

// Where command output may be cut: neither within a terminal code, whose rest would be read as text, nor
// within a character.

/** Characters of a code; a longer one may be cut. */
const LONGEST_CODE = 16_000;
const introducers = '\x1b\x90\x98\x9b\x9d\x9e\x9f';
const codeHere = new RegExp(TERMINAL_CODE, 'y');

/** The last place at or before `index` where `output` may be cut. */
export function cutBefore(output: string, index: number): number {
  const code = codeAround(output, index);
  // The terminator of a code looks like the start of another code.
  if (code) return cutBefore(output, code.start);
  return splitsCharacter(output, index) ? index - 1 : index;
}

/** The first place at or after `index` where `output` may be cut. */
export function cutAfter(output: string, index: number): number {
  const end = codeAround(output, index)?.end ?? index;
  return splitsCharacter(output, end) ? end + 1 : end;
}

/** The code that begins before `index` and ends after it. */
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
