// How Rust's regex and PCRE2 write what they write differently.
import type { Assertion, CharacterSet, SetItem } from './ast.ts';
import { classContents } from './character-classes.ts';

export interface Dialect {
  readonly assertions: Readonly<Record<Assertion, string>>;
  set(set: CharacterSet): string;
  group(id: number, body: string): string;
  reference(group: number): string;
}

/** A character that means itself, inside and outside of brackets. */
export function escapeCharacter(character: string): string {
  if (/^[0-9A-Za-z_]$/.test(character) || character > '\x7f') return character;
  return `\\x{${character.charCodeAt(0).toString(16)}}`;
}

function printRange(from: string, to: string): string {
  return from === to ? escapeCharacter(from) : `${escapeCharacter(from)}-${escapeCharacter(to)}`;
}

/** Rust's regex, the default of ripgrep. It has no back-references. Its word characters are, beyond ours, all marks and joiners. */
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

/** PCRE2, an option of ripgrep. Its brackets know no difference of sets: they become alternatives. */
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
