import { type Difference, isSameFile } from './compare-walks.ts';
import type { Found, Walk } from './walk-tree.ts';

/**
 * Marks the files that a command has put where they are, and that are older than it: none of those that lay here, nor one
 * that it has made with the time of one of them, as a copy or an archive is. They may come from where nothing is looked at.
 */
export function withBrought(before: Walk, differences: readonly Difference[]): readonly Difference[] {
  const older = differences.filter((each) => ageOf(each, before.begun) !== undefined);
  if (older.length === 0) return differences;
  const here = new Set<string | bigint>();
  for (const found of before.found.values()) here.add(nameOf(found)).add(found.modified);
  const isHere = ({ before: old, after }: Difference) =>
    after &&
    (here.has(nameOf(after)) ||
      (ageOf({ before: old, after }, before.begun) === 'written' && here.has(after.modified)));
  const brought = new Set(older.filter((each) => !isHere(each)));
  return differences.map((each) => (brought.has(each) ? { ...each, isBrought: true } : each));
}

/** Whether what a command has put there was born, or only written, before it. Undefined for what was not. */
function ageOf(
  { before, after }: Pick<Difference, 'before' | 'after'>,
  begun: bigint,
): 'born' | 'written' | undefined {
  if (after?.kind !== 'file' || after.isMade || isSameFile(before, after)) return undefined;
  // In the place of another file Windows gives it the age of that.
  if (after.born > 0n && after.born < begun && after.born !== before?.born) return 'born';
  return after.modified < begun ? 'written' : undefined;
}

function nameOf({ inode, born }: Found): string {
  return `${inode} ${born}`;
}
