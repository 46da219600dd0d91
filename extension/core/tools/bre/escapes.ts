// What GNU's backslash sequences of one letter stand for.
import type { Assertion, CharacterSet, ClassName, Node, SetItem } from './ast.ts';

export const lineStart: Node = { kind: 'assertion', at: 'line-start' };
export const lineEnd: Node = { kind: 'assertion', at: 'line-end' };

/** The buffer that `` \` `` and `\'` speak of is, for grep, the line. */
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
