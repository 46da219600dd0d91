import { isInside } from '../../core/base/paths.ts';
import { type Difference, isSameInode } from './compare-walks.ts';
import type { Walk, WalkEntry } from './walk.ts';

/** A directory with a `.git`, which moves as one unit. Paths are absolute. */
export interface MovedRepository {
  readonly from: string;
  readonly to: string;
}

/** Separates repositories that a command moved from its other changes. */
export function withoutRepositories(
  before: Walk,
  differences: readonly Difference[],
): { readonly others: readonly Difference[]; readonly repositories: readonly MovedRepository[] } {
  const repositories = differences.flatMap(({ path, before: old, after }) => {
    const from = !old && after?.isRepository ? placeOf(after, before) : undefined;
    return from === undefined ? [] : [{ from, to: path }];
  });
  const isOf = ({ path, before: old }: Difference, { from, to }: MovedRepository) =>
    isInside(to, path) || (old !== undefined && isInside(from, path));
  const others = differences.filter((each) => !repositories.some((repository) => isOf(each, repository)));
  return { others, repositories };
}

function placeOf(wanted: WalkEntry, { found }: Walk): string | undefined {
  for (const [path, each] of found) if (isSameInode(each, wanted)) return path;
  return undefined;
}
