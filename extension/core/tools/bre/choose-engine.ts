import type { Bre, Node } from './ast.ts';

/** `rust` and `pcre` are ripgrep's own two; `grep` is the machine's program. */
export type Engine = 'rust' | 'pcre' | 'grep';

/** What may search for this expression, the best first: the fastest that certainly finds the same lines as GNU grep. */
export function enginesFor(bre: Bre): readonly Engine[] {
  const features = featuresOf(bre);
  const isSure = !bre.isAmbiguous && !(bre.isBeyondDfa && isOftenWrong(features));
  if (!features.hasReference) return isSure ? ['rust', 'pcre', 'grep'] : ['grep', 'rust', 'pcre'];
  return isSure && !features.repeatsGroup ? ['pcre', 'grep'] : ['grep'];
}

/**
 * Where the C library's regex errs, only GNU grep itself knows what GNU grep says. An assertion in a repetition makes it
 * miss lines (`\(\(\>a\)\)*` can be empty and does not find every line); `\>` after a choice of wildcards makes it find too
 * many (`\(..\|.\)\>` finds `--`).
 */
function isOftenWrong({ repeatsAssertion, hasWordEnd, choosesWildcard }: Features): boolean {
  return repeatsAssertion || (hasWordEnd && choosesWildcard);
}

interface Features {
  /** Without repeated groups each group has one value, and a back-reference means the same to PCRE2 as to GNU. */
  hasReference: boolean;
  repeatsGroup: boolean;
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
    hasReference: false,
    repeatsGroup: false,
    repeatsAssertion: false,
    hasWordEnd: false,
    choosesWildcard: false,
  };
  for (const line of bre.lines) collect(line, { isRepeated: false, isChosen: false }, features);
  return features;
}

function collect(node: Node, position: Position, features: Features): void {
  features.hasReference ||= node.kind === 'reference';
  features.repeatsGroup ||= node.kind === 'group' && position.isRepeated;
  features.repeatsAssertion ||= node.kind === 'assertion' && position.isRepeated;
  features.hasWordEnd ||= node.kind === 'assertion' && node.at === 'word-end';
  features.choosesWildcard ||= isWildcard(node) && position.isChosen;
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
