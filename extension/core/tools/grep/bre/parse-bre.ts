import {
  type Assertion,
  type Bre,
  type CharacterSet,
  type ClassName,
  expandedSize,
  type Node,
  type SetItem,
} from './ast.ts';
import { parseBracket } from './parse-bracket.ts';
import { PatternError, TOO_BIG } from './pattern-error.ts';
import { Reader } from './reader.ts';

/** ripgrep's parsers support 250 levels, and a repeated group takes two or three of them. */
const DEEPEST_GROUP = 80;
const MOST_STACKED_REPEATS = 20;
/** Nodes with all repetitions written out: as many as a single interval can have. */
const MOST_EXPANDED = 0x7fff;

/** The state while one line of the pattern is parsed. */
interface Parsing {
  readonly reader: Reader;
  /** The line is the last one of the pattern. */
  readonly isLast: boolean;
  /** The number of groups in the lines before it. */
  readonly earlierGroups: number;
  /** The number of groups of this line that were opened so far. */
  groups: number;
  depth: number;
  /**
   * The valid numbers for `\1` to `\9` here: groups that are closed, and not in another branch of the same
   * `\|`.
   */
  closed: ReadonlySet<number>;
  /** GNU grep's two matchers read a part of the line differently. */
  contested: boolean;
  /** Because of a part of the line, GNU grep's DFA uses the C library's regex. */
  beyondDfa: boolean;
}

/**
 * Parses a POSIX basic regular expression with GNU's extensions, as GNU grep 3.8 does in a UTF-8 locale. The
 * rules are those of gnulib's dfa.c and glibc's regcomp.c; where they differ, those of dfa.c. Throws
 * `PatternError`.
 */
export function parseBre(pattern: string): Bre {
  if (pattern.includes('\0'))
    throw new PatternError('The pattern has a NUL character, which no text file has');
  const lines = pattern.toWellFormed().split('\n');
  const roots: Node[] = [];
  const states: Parsing[] = [];
  for (const line of lines) {
    const state = startLine(line, roots.length === lines.length - 1, states.at(-1));
    states.push(state);
    roots.push(parseLine(state));
  }
  if (expandedSize(roots) > MOST_EXPANDED) throw new PatternError(TOO_BIG);
  const isBeyondDfa = states.some(({ beyondDfa }) => beyondDfa);
  return { lines: roots, isBeyondDfa, isAmbiguous: isBeyondDfa && states.some(({ contested }) => contested) };
}

function startLine(line: string, isLast: boolean, previous: Parsing | undefined): Parsing {
  return {
    reader: new Reader(line),
    isLast,
    earlierGroups: previous ? previous.earlierGroups + previous.groups : 0,
    groups: 0,
    depth: 0,
    closed: new Set(),
    contested: false,
    beyondDfa: false,
  };
}

function parseLine(state: Parsing): Node {
  const root = parseAlternatives(state);
  if (!state.reader.atEnd) throw new PatternError('Unmatched ) or \\)');
  return root;
}

function parseAlternatives(state: Parsing): Node {
  const before = state.closed;
  const first = parseBranch(state);
  const branches = [first];
  const closed = new Set(state.closed);
  while (state.reader.take('\\|')) {
    state.closed = before;
    branches.push(parseBranch(state));
    for (const group of state.closed) closed.add(group);
  }
  state.closed = closed;
  return branches.length === 1 ? first : { kind: 'alternatives', branches };
}

/**
 * A `*`, `\+`, `\?` or `\{` is literal if only assertions precede it in the branch. A `^` means the start of
 * the line only in the very first place.
 */
function parseBranch(state: Parsing): Node {
  const items: Node[] = [];
  let canRepeat = false;
  while (!isBranchEnd(state.reader)) {
    const item = parseItem(state, items.length === 0);
    canRepeat ||= item.kind !== 'assertion';
    items.push(canRepeat ? parseRepeats(state, item) : item);
  }
  const [only] = items;
  return only && items.length === 1 ? only : { kind: 'sequence', items };
}

function isBranchEnd(reader: Reader): boolean {
  return reader.atEnd || reader.startsWith('\\|') || reader.startsWith('\\)');
}

function parseRepeats(state: Parsing, item: Node): Node {
  let result = item;
  for (let stacked = 0; ; stacked += 1) {
    const interval = takeInterval(state.reader);
    if (!interval) return result;
    if (stacked === MOST_STACKED_REPEATS) throw new PatternError(TOO_BIG);
    // dfa.c repeats the assertion; regcomp.c reads the operator as a character.
    if (item.kind === 'assertion') state.contested = true;
    result = repeated(result, interval);
  }
}

function takeInterval(reader: Reader): Interval | undefined {
  if (reader.take('*')) return { minimum: 0, maximum: undefined };
  if (reader.take('\\+')) return { minimum: 1, maximum: undefined };
  if (reader.take('\\?')) return { minimum: 0, maximum: 1 };
  return reader.take('\\{') ? parseInterval(reader) : undefined;
}

function repeated(body: Node, interval: Interval): Node {
  return { kind: 'repeat', body, ...interval };
}

function parseItem(state: Parsing, isFirst: boolean): Node {
  const { reader } = state;
  const character = reader.next();
  if (character === '\\') return parseEscape(state);
  if (character === '[') return beyondDfa(state, parseBracket(reader));
  if (character === '.') return { kind: 'any' };
  if (character === '^' && isFirst) return lineStart;
  if (character === '$' && isLineEnd(state)) return lineEnd;
  return { kind: 'character', text: character };
}

function beyondDfa(state: Parsing, node: Node): Node {
  state.beyondDfa = true;
  return node;
}

/**
 * Called after a `$`. Before an unescaped `)` or `|`, it is an anchor for dfa.c, unless that character ends
 * the pattern.
 */
function isLineEnd(state: Parsing): boolean {
  const { reader } = state;
  if (isBranchEnd(reader)) return true;
  if (!reader.startsWith(')') && !reader.startsWith('|')) return false;
  state.contested = true;
  return reader.peek(1) !== undefined || !state.isLast;
}

/** Called after a backslash. Before a character without a special meaning, the backslash has no effect. */
function parseEscape(state: Parsing): Node {
  const character = state.reader.next('Trailing backslash');
  if (character === '(') return parseGroup(state);
  if (/^[1-9]$/.test(character)) return beyondDfa(state, parseReference(state, Number(character)));
  const set = setEscapes.get(character);
  if (set) return beyondDfa(state, set);
  const at = assertionEscapes.get(character);
  if (at?.startsWith('word')) state.beyondDfa = true;
  return at ? { kind: 'assertion', at } : { kind: 'character', text: character };
}

function parseGroup(state: Parsing): Node {
  if (state.depth === DEEPEST_GROUP) throw new PatternError(TOO_BIG);
  state.groups += 1;
  const number = state.groups;
  state.depth += 1;
  const body = parseAlternatives(state);
  state.depth -= 1;
  if (!state.reader.take('\\)')) throw new PatternError('Unmatched ( or \\(');
  if (number <= 9) state.closed = new Set([...state.closed, number]);
  return { kind: 'group', id: state.earlierGroups + number, body };
}

function parseReference(state: Parsing, number: number): Node {
  if (!state.closed.has(number)) throw new PatternError('Invalid back reference');
  return { kind: 'reference', group: state.earlierGroups + number };
}

// The meanings of GNU's backslash sequences of one letter.

export const lineStart: Node = { kind: 'assertion', at: 'line-start' };
export const lineEnd: Node = { kind: 'assertion', at: 'line-end' };

/** For grep, the buffer of `` \` `` and `\'` is the line. */
export const assertionEscapes: ReadonlyMap<string, Assertion> = new Map([
  ['<', 'word-start'],
  ['>', 'word-end'],
  ['b', 'word-edge'],
  ['B', 'word-inside'],
  ['`', 'line-start'],
  ["'", 'line-end'],
]);

const underscore: SetItem = { kind: 'range', from: '_', to: '_' };

export const setEscapes: ReadonlyMap<string, CharacterSet> = new Map([
  ['w', classSet(false, 'alnum', underscore)],
  ['W', classSet(true, 'alnum', underscore)],
  ['s', classSet(false, 'space')],
  ['S', classSet(true, 'space')],
]);

function classSet(negated: boolean, name: ClassName, ...more: readonly SetItem[]): CharacterSet {
  return { kind: 'set', negated, items: [{ kind: 'class', name }, ...more] };
}

/** RE_DUP_MAX of the GNU C library. */
const MOST_REPEATS = 0x7fff;

const BAD_CONTENT = 'Invalid content of \\{\\}';

export interface Interval {
  readonly minimum: number;
  /** Undefined: no limit. */
  readonly maximum: number | undefined;
}

/** Parses what follows a `\{`: `m\}`, `m,\}`, `m,n\}`, and GNU's `,n\}` and `,\}`. */
export function parseInterval(reader: Reader): Interval {
  const from = reader.takeDigits();
  const comma = reader.take(',');
  const to = comma ? reader.takeDigits() : from;
  requireEnd(reader);
  if (from === '' && !comma) throw new PatternError(BAD_CONTENT);
  return checked(Number(from), to === '' ? undefined : Number(to));
}

function requireEnd(reader: Reader): void {
  if (reader.take('\\}')) return;
  while (!reader.atEnd && reader.peek() !== ',' && !reader.startsWith('\\}')) reader.next();
  throw new PatternError(reader.atEnd ? 'Unmatched \\{' : BAD_CONTENT);
}

function checked(minimum: number, maximum: number | undefined): Interval {
  if (maximum !== undefined && maximum < minimum) throw new PatternError(BAD_CONTENT);
  if ((maximum ?? minimum) > MOST_REPEATS) throw new PatternError(TOO_BIG);
  return { minimum, maximum };
}
