import { type CharacterSet, type ClassName, classNames, type SetItem } from './ast.ts';
import { PatternError, UNMATCHED_BRACKET } from './pattern-error.ts';
import type { Reader } from './reader.ts';

const BAD_RANGE = 'Invalid range end';

/** An item between the brackets that may still turn out to be the start of a range. */
type Element =
  | { readonly kind: 'character'; readonly text: string }
  | { readonly kind: 'collating'; readonly text: string }
  | { readonly kind: 'equivalence'; readonly text: string }
  | { readonly kind: 'class'; readonly name: ClassName };

/**
 * Parses a bracket expression after its `[` (POSIX 9.3.5, as glibc's regcomp.c reads it). A `]` in the first
 * place and every backslash are literal. `-` is literal in the first and the last place and as the end of a
 * range. Classes and equivalence classes cannot be ends of ranges. Collating elements and equivalence classes
 * are single ASCII characters, as in the C.UTF-8 locale. Ranges go by code points, even beyond ASCII, where
 * only that locale refuses them.
 */
export function parseBracket(reader: Reader): CharacterSet {
  const negated = reader.take('^');
  const items: SetItem[] = [];
  let text: string | undefined = '';
  do {
    const first = items.length === 0;
    const single: string | undefined = isLoneCharacter(reader) ? reader.peek() : undefined;
    items.push(parseItem(reader, first));
    text = text === undefined || single === undefined ? undefined : text + single;
  } while (!reader.take(']'));
  rejectMisplacedClass(text ?? '');
  return { kind: 'set', negated, items };
}

/** GNU grep refuses `[:space:]`, which would mean the set of these letters. */
function rejectMisplacedClass(text: string): void {
  if (/^:.*[^:].*:$/su.test(text)) {
    throw new PatternError('character class syntax is [[:space:]], not [:space:]');
  }
}

/** Not a class, an equivalence class, a collating element, or the start of a range. */
function isLoneCharacter(reader: Reader): boolean {
  return !['[:', '[=', '[.'].some((open) => reader.startsWith(open)) && !isRangeAhead(reader, 1);
}

/** `offset` points at a `-` that forms a range. */
function isRangeAhead(reader: Reader, offset: number): boolean {
  return reader.peek(offset) === '-' && reader.peek(offset + 1) !== ']';
}

function parseItem(reader: Reader, first: boolean): SetItem {
  if (!first && isRangeAhead(reader, 0)) throw new PatternError(BAD_RANGE);
  const start = parseElement(reader);
  if (start.kind === 'class') return start;
  if (start.kind === 'equivalence' || !isRangeAhead(reader, 0)) return toRange(start.text, start.text);
  reader.take('-');
  return toRange(start.text, parseRangeEnd(reader));
}

function parseRangeEnd(reader: Reader): string {
  const end = parseElement(reader);
  if (end.kind === 'class' || end.kind === 'equivalence') throw new PatternError(BAD_RANGE);
  return end.text;
}

function toRange(from: string, to: string): SetItem {
  if (codePoint(from) > codePoint(to)) throw new PatternError(BAD_RANGE);
  return { kind: 'range', from, to };
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function parseElement(reader: Reader): Element {
  if (reader.take('[:')) return { kind: 'class', name: parseClass(reader) };
  if (reader.take('[=')) return { kind: 'equivalence', text: parseCollating(reader, '=]') };
  if (reader.take('[.')) return { kind: 'collating', text: parseCollating(reader, '.]') };
  return { kind: 'character', text: reader.next(UNMATCHED_BRACKET) };
}

function parseClass(reader: Reader): ClassName {
  const name = readUpTo(reader, ':]');
  const known = classNames.find((className) => className === name);
  if (!known) throw new PatternError('Invalid character class name');
  return known;
}

function parseCollating(reader: Reader, close: string): string {
  const name = readUpTo(reader, close);
  if (!/^\p{ASCII}$/u.test(name)) throw new PatternError('Invalid collation character');
  return name;
}

function readUpTo(reader: Reader, close: string): string {
  let name = '';
  while (!reader.take(close)) name += reader.next(UNMATCHED_BRACKET);
  return name;
}
