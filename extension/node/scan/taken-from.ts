import { type Dirent, opendirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Difference } from './compare-walks.ts';
import { grainOf } from './file-clock.ts';
import { Slices } from './slices.ts';
import { look, MADE, type Walk } from './walk-tree.ts';

/**
 * Marks also new files, however new, if something may have been taken from a folder that was not looked at: it may have been
 * moved, and then edited. `begun` as in `withBrought`. `room`: of how many entries in such folders more is to be known.
 */
export async function withTaken(
  before: Walk,
  begun: bigint,
  differences: readonly Difference[],
  room: number,
): Promise<readonly Difference[]> {
  const isNew = ({ before: old, after }: Difference) => !old && after?.kind === 'file' && !after.isMade;
  const hidden = before.unread.filter((folder) => !isMade(folder, before));
  if (hidden.length === 0 || !differences.some(isNew)) return differences;
  if (!(await isTakenFrom(hidden, begun, room))) return differences;
  return differences.map((each) => (isNew(each) ? { ...each, isBrought: true } : each));
}

function isMade(folder: string, { found }: Walk): boolean {
  return MADE.has(basename(folder)) || found.get(folder)?.isMade === true;
}

/** Whether names have come or gone in one of these folders, or below them; true where that would take too long. */
async function isTakenFrom(folders: readonly string[], begun: bigint, room: number): Promise<boolean> {
  const slices = new Slices();
  const next = [...folders];
  let left = room;
  for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
    const found = look(folder, false, 0n);
    if (!found || found.modified + grainOf(found.modified) >= begun) return true;
    for (const entry of entriesOf(folder)) {
      await slices.rest();
      left -= 1;
      if (left < 0) return true;
      if (entry.isDirectory() && entry.name !== '.git' && !MADE.has(entry.name))
        next.push(join(folder, entry.name));
    }
  }
  return false;
}

/** None of what may not be read: nor does a command take anything from there that it does not know. */
function* entriesOf(folder: string): Generator<Dirent> {
  let entries: ReturnType<typeof opendirSync>;
  try {
    entries = opendirSync(folder);
  } catch {
    return;
  }
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) yield entry;
  } finally {
    entries.closeSync();
  }
}
