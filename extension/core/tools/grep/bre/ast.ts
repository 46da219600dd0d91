// A basic regular expression as a tree. The parser decides what `*`, `^` and `$` mean at their position; in
// the tree, a literal star is a character.

export type Assertion = 'line-start' | 'line-end' | 'word-start' | 'word-end' | 'word-edge' | 'word-inside';

/** The classes of POSIX, as in `[[:alpha:]]`. */
export const classNames = [
  'alpha',
  'upper',
  'lower',
  'digit',
  'xdigit',
  'space',
  'punct',
  'alnum',
  'print',
  'graph',
  'cntrl',
  'blank',
] as const;
export type ClassName = (typeof classNames)[number];

/** `from` and `to` are single characters, `from` not after `to` in code point order. */
export type SetItem =
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'class'; readonly name: ClassName };

export interface CharacterSet {
  readonly kind: 'set';
  readonly negated: boolean;
  readonly items: readonly SetItem[];
}

export interface Repeat {
  readonly kind: 'repeat';
  readonly body: Node;
  readonly minimum: number;
  /** Undefined: no limit. */
  readonly maximum: number | undefined;
}

export type Node =
  | { readonly kind: 'character'; readonly text: string }
  | { readonly kind: 'any' }
  | CharacterSet
  | { readonly kind: 'assertion'; readonly at: Assertion }
  /** `id` is unique in the pattern: groups are counted from 1 over all its lines. */
  | { readonly kind: 'group'; readonly id: number; readonly body: Node }
  | { readonly kind: 'reference'; readonly group: number }
  | Repeat
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'alternatives'; readonly branches: readonly Node[] };

export interface Bre {
  /** One for each line of the pattern. A text line matches if one of them does. */
  readonly lines: readonly Node[];
  /** GNU grep's DFA cannot decide alone whether a line matches, so it uses the C library's regex. */
  readonly isBeyondDfa: boolean;
  /**
   * GNU grep uses both matchers, and they read a part of this pattern differently. Its answer then agrees
   * with neither.
   */
  readonly isAmbiguous: boolean;
}

/** The nodes of the expression with all repetitions written out, as engines expand them. */
export function expandedSize(lines: readonly Node[]): number {
  return sum(lines.map(sizeOf));
}

function sizeOf(node: Node): number {
  switch (node.kind) {
    case 'repeat':
      return sizeOf(node.body) * Math.max(1, node.maximum ?? node.minimum);
    case 'group':
      return sizeOf(node.body);
    case 'sequence':
      return sum(node.items.map(sizeOf));
    case 'alternatives':
      return sum(node.branches.map(sizeOf));
    default:
      return 1;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
