import { type Assertion, type Bre, expandedSize, type Node } from './ast.ts';

/** `rust` and `pcre` are ripgrep's own two engines; `grep` is the program on this machine. */
export type Engine = 'rust' | 'pcre' | 'grep';

/**
 * The engines for this expression, best first: the fastest one that certainly finds the same lines as GNU
 * grep.
 */
export function enginesFor(bre: Bre): readonly Engine[] {
  const engines = enginesInOrder(bre);
  const isLarge = expandedSize(bre.lines) > MOST_FOR_GREP;
  // Without grep, a reference that PCRE2 may read differently is not searched at all.
  return isLarge ? engines.filter((engine) => engine !== 'grep') : engines;
}

/** GNU grep expands repetitions, and takes longer than all others: 30 s for 32,000 nodes. */
const MOST_FOR_GREP = 5_000;

function enginesInOrder(bre: Bre): readonly Engine[] {
  const features = featuresOf(bre);
  const isSure = !isOftenWrong(bre, features);
  if (!features.hasReference) return isSure ? ['rust', 'pcre', 'grep'] : ['grep', 'rust', 'pcre'];
  return isSure && isPlainReference(features) ? ['pcre', 'grep'] : ['grep'];
}

/**
 * True if GNU grep or the C library's regex has errors for this pattern. Only GNU grep itself then gives GNU
 * grep's answer.
 */
function isOftenWrong(bre: Bre, features: Features): boolean {
  if (bre.isAmbiguous || features.endsAtStart) return true;
  return bre.isBeyondDfa && (features.repeatsAssertion || (features.hasWordEnd && features.choosesWildcard));
}

/** PCRE2 finds the same lines. With `\>`, GNU grep finds too much: `\(.\)\1\>` finds `--`. */
function isPlainReference({ repeatsCompound, hasEmptyGroup, hasWordEnd }: Features): boolean {
  return !repeatsCompound && !hasEmptyGroup && !hasWordEnd;
}

interface Features {
  hasReference: boolean;
  /**
   * A group or a repetition is repeated. A group then has several values, and GNU and PCRE2 choose different
   * ones. GNU also misses lines: `\(ab**\)\1` does not find `aa`.
   */
  repeatsCompound: boolean;
  /**
   * The pattern has a group that can be empty. A reference to it affects the assertions around it:
   * `\(\)\1\>`.
   */
  hasEmptyGroup: boolean;
  /**
   * An assertion is repeated. GNU grep then misses lines: `\(\(\>a\)\)*` can be empty but does not find every
   * line.
   */
  repeatsAssertion: boolean;
  hasWordEnd: boolean;
  /**
   * A `.` or a set is in a group with branches or in a repeated group. With `\>`, GNU grep then finds too
   * much: `\(..\|.\)\>` finds `--`.
   */
  choosesWildcard: boolean;
  /** A line end is at the start of the pattern, with more after it: `^\($\)a$` finds `a`. */
  endsAtStart: boolean;
}

/** The position of a node in the tree. */
interface Position {
  readonly isRepeated: boolean;
  readonly isChosen: boolean;
}

function featuresOf(bre: Bre): Features {
  const features: Features = {
    hasReference: false,
    repeatsCompound: false,
    hasEmptyGroup: false,
    repeatsAssertion: false,
    hasWordEnd: false,
    choosesWildcard: false,
    endsAtStart: false,
  };
  for (const line of bre.lines) collect(line, { isRepeated: false, isChosen: false }, features);
  return features;
}

function collect(node: Node, position: Position, features: Features): void {
  features.hasReference ||= node.kind === 'reference';
  features.repeatsCompound ||= (node.kind === 'group' || node.kind === 'repeat') && position.isRepeated;
  features.hasEmptyGroup ||= node.kind === 'group' && canBeEmpty(node);
  features.endsAtStart ||= node.kind === 'sequence' && endsAtStart(node.items);
  features.repeatsAssertion ||= node.kind === 'assertion' && position.isRepeated;
  features.hasWordEnd ||= isAssertion(node, 'word-end');
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

function endsAtStart([first, second, ...rest]: readonly Node[]): boolean {
  return isAssertion(first, 'line-start') && isAssertion(firstIn(second), 'line-end') && rest.length > 0;
}

function isAssertion(node: Node | undefined, at: Assertion): boolean {
  return node?.kind === 'assertion' && node.at === at;
}

function firstIn(node: Node | undefined): Node | undefined {
  if (node?.kind === 'group') return firstIn(node.body);
  return node?.kind === 'sequence' ? firstIn(node.items[0]) : node;
}

function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'group':
      return canBeEmpty(node.body);
    case 'repeat':
      return node.minimum === 0 || canBeEmpty(node.body);
    case 'sequence':
      return node.items.every(canBeEmpty);
    case 'alternatives':
      return node.branches.some(canBeEmpty);
    default:
      return node.kind === 'assertion' || node.kind === 'reference';
  }
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
