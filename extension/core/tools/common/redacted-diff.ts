import type { Diff } from '../../../protocol/events.ts';
import { type Comparison, compareTexts } from '../../base/diff/diff-texts.ts';
import { unifiedDiff } from '../../base/diff/unified-diff.ts';
import { LONGEST_SECRET } from '../../secrets/secret-patterns.ts';
import type { ToolContext } from './tool.ts';

/** The diff of what `comparison` found in two texts, without the secrets that lie near it, also those of which it has a part. */
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

/** Behind the line in which character `at` stands. */
function lineEnd(text: string, at: number): number {
  return text.indexOf('\n', at) + 1 || text.length;
}

/** `by` characters further behind. */
function shifted({ start, ...rest }: Comparison, by: number): Comparison {
  return { ...rest, start: start + by };
}
