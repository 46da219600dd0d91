import type { ClassName } from './ast.ts';

/** What a class has and has not, each in the syntax that Rust's regex and PCRE2 share for the inside of brackets. */
export interface ClassContent {
  readonly has: string;
  readonly butNot?: string;
}

const SPACES_IN_LINE = '\\x{20}\\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200a}\\x{205f}\\x{3000}';
const LETTERS_AND_DIGITS = '\\p{Alphabetic}\\p{Nd}';
const NO_BREAK_SPACES = '\\x{a0}\\x{2007}\\x{202f}';
const VISIBLE = '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}';

/**
 * The classes of glibc's C.UTF-8 locale in the words of Unicode. Compared with `grep` over every character of Unicode 14
 * they are equal, but for characters whose properties changed since.
 */
export const classContents: Readonly<Record<ClassName, ClassContent>> = {
  alpha: { has: LETTERS_AND_DIGITS, butNot: '0-9' },
  upper: { has: '\\p{Uppercase}\\p{Lt}' },
  lower: { has: '\\p{Lowercase}\\x{1c5}\\x{1c8}\\x{1cb}\\x{1f2}' },
  digit: { has: '0-9' },
  xdigit: { has: '0-9A-Fa-f' },
  space: { has: `\\t-\\r\\x{2028}\\x{2029}${SPACES_IN_LINE}` },
  punct: { has: VISIBLE + NO_BREAK_SPACES, butNot: LETTERS_AND_DIGITS },
  alnum: { has: LETTERS_AND_DIGITS },
  print: { has: `${VISIBLE}\\p{Zs}` },
  graph: { has: VISIBLE + NO_BREAK_SPACES },
  cntrl: { has: '\\p{Cc}\\x{2028}\\x{2029}' },
  blank: { has: `\\t${SPACES_IN_LINE}` },
};
