import type { Bre, Node } from './ast.ts';

/** `rust` and `pcre` are ripgrep's own two; `grep` is the machine's program. */
export type Engine = 'rust' | 'pcre' | 'grep';

/** What may search for this expression, the best first: the fastest that certainly finds the same lines as GNU grep. */
export function enginesFor(bre: Bre): readonly Engine[] {
  const features = featuresOf(bre);
  const isSure = !bre.isAmbiguous && !(bre.isBeyondDfa && isOftenWrong(features));
  if (features.references.size === 0) return isSure ? ['rust', 'pcre', 'grep'] : ['grep', 'rust', 'pcre'];
  return isSure && hasOneValueEach(features) ? ['pcre', 'grep'] : ['grep'];
}

/**
 * Where the C library's regex errs, only GNU grep itself knows what GNU grep says. An assertion in a repetition makes it
 * miss lines (`\(\(\>a\)\)*` can be empty and does not find every line); `\>` after a choice of a wildcard's makes it find
 * too many (`\(..\|.\)\>` finds `--`).
 */
function isOftenWrong({ repeatsAssertion, hasWordEnd, choosesWildcard }: Features): boolean {
  return repeatsAssertion || (hasWordEnd && choosesWildcard);
}

/**
 * A back-reference means the same to PCRE2 where its group has one value, that is outside of every repetition. In one, GNU
 * looks for the longest match, PCRE2 for the first.
 */
function hasOneValueEach({ references, repeatedGroups }: Features): boolean {
  return [...references].every((group) => !repeatedGroups.has(group));
}

interface Features {
  readonly references: Set<number>;
  readonly repeatedGroups: Set<number>;
  repeatsAssertion: boolean;
  hasWordEnd: boolean;
  /** A `.` or a set in a group with branches or in a repeated group. */
  choosesWildcard: boolean;
}

/** Where in the tree a node is. */
interface Position {
  readonly isRepeated: boolean;
  readonly isChosen: boolean;
}

function featuresOf(bre: Bre): Features {
  const features: Features = {
    references: new Set(),
    repeatedGroups: new Set(),
    repeatsAssertion: false,
    hasWordEnd: false,
    choosesWildcard: false,
  };
  for (const line of bre.lines) collect(line, { isRepeated: false, isChosen: false }, features);
  return features;
}

function collect(node: Node, position: Position, features: Features): void {
  if (node.kind === 'reference') features.references.add(node.group);
  if (node.kind === 'group' && position.isRepeated) features.repeatedGroups.add(node.id);
  features.repeatsAssertion ||= node.kind === 'assertion' && position.isRepeated;
  features.hasWordEnd ||= node.kind === 'assertion' && node.at === 'word-end';
  features.choosesWildcard ||= position.isChosen && isWildcard(node);
  const inside = positionInside(node, position);
  for (const child of childrenOf(node)) collect(child, inside, features);
}

function positionInside(node: Node, { isRepeated, isChosen }: Position): Position {
  const hasBranches = node.kind === 'group' && node.body.kind === 'alternatives';
  const repeatsGroup = node.kind === 'repeat' && node.body.kind === 'group';
  return {
    isRepeated: isRepeated || node.kind === 'repeat',
    isChosen: isChosen || hasBranches || repeatsGroup,
  };
}

function isWildcard(node: Node): boolean {
  return node.kind === 'any' || node.kind === 'set';
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'group':
    case 'repeat':
      return [node.body];
    case 'sequence':
      return node.items;
    case 'alternatives':
      return node.branches;
    default:
      return [];
  }
}
