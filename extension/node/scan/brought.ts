import { type Difference, isSameFile } from './compare-walks.ts';
import { grainOf } from './file-clock.ts';
import { TimesHere } from './times-here.ts';
import type { Found, Walk } from './walk-tree.ts';

/**
 * Marks the files, links and directories that a command has put where they are, and that are older than it: none of those that lay here, nor one
 * that it has made with the time of one of them (`TimesHere`). They may come from where nothing is looked at. `begun`: when the command did, by the clock of the file system. Nanoseconds since the epoch.
 */
export function withBrought(
  before: Walk,
  begun: bigint,
  differences: readonly Difference[],
): readonly Difference[] {
  const older = differences.filter((each) => ageOf(each, begun) !== undefined);
  if (older.length === 0) return differences;
  const here = new Set<string>();
  const times = new TimesHere();
  for (const found of before.found.values()) {
    here.add(nameOf(found));
    times.add(found);
  }
  const isHere = ({ before: old, after }: Difference) =>
    after &&
    (here.has(nameOf(after)) || (ageOf({ before: old, after }, begun) === 'written' && times.haveOf(after)));
  const brought = new Set(older.filter((each) => !isHere(each)));
  return differences.map((each) => (brought.has(each) ? { ...each, isBrought: true } : each));
}

/** Whether what a command has put there was born, or only written, before it. Undefined for what was not. */
function ageOf(
  { before, after }: Pick<Difference, 'before' | 'after'>,
  begun: bigint,
): 'born' | 'written' | undefined {
  if (!after || after.isMade || isSameFile(before, after)) return undefined;
  const isOlder = (time: bigint) => time + grainOf(time) < begun;
  // In the place of another file Windows gives it the age of that.
  if (after.born > 0n && isOlder(after.born) && after.born !== before?.born) return 'born';
  // What unpacks or copies directories gives them their old times, too, and their files are asked about.
  if (after.kind === 'directory' && after.born > 0n) return undefined;
  return isOlder(after.modified) ? 'written' : undefined;
}

function nameOf({ inode, born }: Found): string {
  return `${inode} ${born}`;
}
