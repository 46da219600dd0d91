import type { Diff } from '../../../protocol/events.ts';
import { type Comparison, compareTexts } from '../../base/diff/diff-texts.ts';
import { unifiedDiff } from '../../base/diff/unified-diff.ts';
import { LONGEST_SECRET } from '../../secrets/secret-patterns.ts';
import type { ToolContext } from './tool.ts';

/**
 * Returns the diff of two texts from their `comparison`. Removes secrets near the changes, even those of
 * which the diff would show only a part.
 */
export function redactedDiff(
  before: string,
  after: string,
  comparison: Comparison,
  withoutSecrets: ToolContext['withoutSecrets'],
): Diff | undefined {
  const { start, end } = comparison;
  const from = start < LONGEST_SECRET ? 0 : before.lastIndexOf('\n', start - LONGEST_SECRET) + 1;
  const rest =
    end < LONGEST_SECRET ? 0 : before.length - lineEnd(before, before.length - end + LONGEST_SECRET);
  const near = (text: string) => text.slice(from, text.length - rest);
  const [old, now] = [withoutSecrets(near(before)), withoutSecrets(near(after))];
  if (old === near(before) && now === near(after)) return unifiedDiff(before, comparison);
  return unifiedDiff(before.slice(0, from) + old, shifted(compareTexts(old, now), from));
}

/** The index after the line that contains character `at`. */
function lineEnd(text: string, at: number): number {
  return text.indexOf('\n', at) + 1 || text.length;
}

/** Moves the comparison `by` characters on. */
function shifted({ start, ...rest }: Comparison, by: number): Comparison {
  return { ...rest, start: start + by };
}
