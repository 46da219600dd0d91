import type { Assertion, Bre, CharacterSet, ClassName, Node, Repeat, SetItem } from './ast.ts';

/**
 * The members and the non-members of a class, in the syntax that Rust's regex and PCRE2 share inside
 * brackets.
 */
export interface ClassContent {
  readonly has: string;
  readonly butNot?: string;
}

const SPACES_IN_LINE = '\\x{20}\\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200a}\\x{205f}\\x{3000}';
const LETTERS_AND_DIGITS = '\\p{Alphabetic}\\p{Nd}';
const NO_BREAK_SPACES = '\\x{a0}\\x{2007}\\x{202f}';
const VISIBLE = '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}';

/**
 * The classes of glibc's C.UTF-8 locale as Unicode properties. Compared with `grep` over all characters of
 * Unicode 14, they are equal, except for characters whose properties changed since.
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

// The differences between the syntaxes of Rust's regex and PCRE2.

interface Dialect {
  readonly assertions: Readonly<Record<Assertion, string>>;
  set(set: CharacterSet): string;
  group(id: number, body: string): string;
  reference(group: number): string;
}

/** A literal character, inside and outside of brackets. */
export function escapeCharacter(character: string): string {
  if (/^[0-9A-Za-z_]$/.test(character) || character > '\x7f') return character;
  return `\\x{${character.charCodeAt(0).toString(16)}}`;
}

function printRange(from: string, to: string): string {
  return from === to ? escapeCharacter(from) : `${escapeCharacter(from)}-${escapeCharacter(to)}`;
}

/**
 * Rust's regex, the default of ripgrep. It has no back-references. Its word characters also include all marks
 * and joiners, which Harness's do not.
 */
export const rustDialect: Dialect = {
  assertions: {
    'line-start': '^',
    'line-end': '$',
    'word-start': '\\b{start}',
    'word-end': '\\b{end}',
    'word-edge': '\\b',
    'word-inside': '\\B',
  },
  set: ({ negated, items }) => `[${negated ? '^' : ''}${items.map(rustItem).join('')}]`,
  group: (_, body) => `(?:${body})`,
  reference: () => {
    throw new Error('Rust regular expressions have no back-references');
  },
};

function rustItem(item: SetItem): string {
  if (item.kind === 'range') return printRange(item.from, item.to);
  const { has, butNot } = classContents[item.name];
  return butNot ? `[${has}--[${butNot}]]` : has;
}

const WORD = `[${classContents.alnum.has}_]`;
const WORD_START = `(?<!${WORD})(?=${WORD})`;
const WORD_END = `(?<=${WORD})(?!${WORD})`;

/** PCRE2, an option of ripgrep. Its brackets have no difference of sets, so such sets become alternatives. */
export const pcreDialect: Dialect = {
  assertions: {
    'line-start': '^',
    'line-end': '$',
    'word-start': WORD_START,
    'word-end': WORD_END,
    'word-edge': `(?:${WORD_START}|${WORD_END})`,
    'word-inside': `(?!${WORD_START}|${WORD_END})`,
  },
  set: ({ negated, items }) => {
    const any = items.map(pcreItem).join('|');
    return negated ? `(?:(?!${any}).)` : `(?:${any})`;
  },
  group: (id, body) => `(?<g${id}>${body})`,
  reference: (group) => `\\k{g${group}}`,
};

function pcreItem(item: SetItem): string {
  if (item.kind === 'range') return `[${printRange(item.from, item.to)}]`;
  const { has, butNot } = classContents[item.name];
  return butNot ? `(?![${butNot}])[${has}]` : `[${has}]`;
}

/**
 * Prints the same expression for another engine. It must be matched against one text line at a time. `^` and
 * `$` must match at the line's ends, and `.` must match no line feed.
 */
export function printRegex(bre: Bre, dialect: Dialect): string {
  return bre.lines.map((line) => print(line, dialect)).join('|');
}

function print(node: Node, dialect: Dialect): string {
  switch (node.kind) {
    case 'character':
      return escapeCharacter(node.text);
    case 'any':
      return '.';
    case 'set':
      return dialect.set(node);
    case 'assertion':
      return dialect.assertions[node.at];
    case 'group':
      return dialect.group(node.id, print(node.body, dialect));
    case 'reference':
      return dialect.reference(node.group);
    case 'repeat':
      return `(?:${print(node.body, dialect)})${quantifier(node)}`;
    case 'sequence':
      return node.items.map((item) => print(item, dialect)).join('');
    case 'alternatives':
      return node.branches.map((branch) => print(branch, dialect)).join('|');
  }
}

function quantifier({ minimum, maximum }: Repeat): string {
  if (maximum !== undefined) return `{${minimum},${maximum}}`;
  if (minimum > 1) return `{${minimum},}`;
  return minimum === 1 ? '+' : '*';
}
