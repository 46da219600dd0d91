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
const OTHER_CONTROLS = '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]';

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
export const TERMINAL_CODE = `${SEQUENCE}|${OTHER_CONTROLS}`;
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
const anyControl = new RegExp(OTHER_CONTROLS);

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
