import type { Bre, Node } from './ast.ts';

/** `rust` and `pcre` are ripgrep's own two; `grep` is the machine's program. */
export type Engine = 'rust' | 'pcre' | 'grep';

/**
 * What may search for this expression, the best first: the fastest that certainly finds the same lines as GNU grep.
 *
 * A back-reference means the same to PCRE2 where its group has one value, that is outside of every repetition; in one,
 * GNU looks for the longest match, PCRE2 for the first. An assertion in a repetition is often wrong in the C library's
 * regex, so that only GNU grep itself knows what GNU grep says: `\(\(\>a\)\)*`, which can be empty, finds not every line.
 */
export function enginesFor(bre: Bre): readonly Engine[] {
  const features = featuresOf(bre);
  const isSure = !bre.isAmbiguous && !(bre.isBeyondDfa && features.repeatsAssertion);
  if (features.references.size === 0) return isSure ? ['rust', 'pcre', 'grep'] : ['grep', 'rust', 'pcre'];
  const hasOneValue = [...features.references].every((group) => !features.repeatedGroups.has(group));
  return isSure && hasOneValue ? ['pcre', 'grep'] : ['grep'];
}

interface Features {
  readonly references: Set<number>;
  readonly repeatedGroups: Set<number>;
  repeatsAssertion: boolean;
}

function featuresOf(bre: Bre): Features {
  const features: Features = { references: new Set(), repeatedGroups: new Set(), repeatsAssertion: false };
  for (const line of bre.lines) collect(line, false, features);
  return features;
}

function collect(node: Node, isRepeated: boolean, features: Features): void {
  if (node.kind === 'reference') features.references.add(node.group);
  if (node.kind === 'group' && isRepeated) features.repeatedGroups.add(node.id);
  if (node.kind === 'assertion' && isRepeated) features.repeatsAssertion = true;
  for (const child of childrenOf(node)) collect(child, isRepeated || node.kind === 'repeat', features);
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
