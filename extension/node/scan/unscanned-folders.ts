import { type Dirent, opendirSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownRules } from '../search/ignore-rules.ts';
import type { Difference } from './compare-walks.ts';
import { grainOf } from './file-clock.ts';
import { TimeSlices } from './time-slices.ts';
import type { Walk } from './walk.ts';
import { isMadeAgain, look } from './walk-tree.ts';

/** What one folder costs, when a name that is read costs 1. */
const FOLDER = 10;

interface Listed {
  /** As of `Found`. */
  readonly touched: bigint;
  /** The folders in it, by absolute paths. */
  readonly folders: readonly string[];
}

/** How much more may be found out. */
interface Room {
  left: number;
  readonly slices: TimeSlices;
}

/** Folders that are not looked at, but for whether names have come or gone in them. One for all commands: each is read once. */
export class UnscannedFolders {
  readonly #known = new Map<string, Listed>();

  /**
   * Marks also new files, however new, if something may have been taken from a folder that was not looked at: it may have
   * been moved, and then edited. `begun` as in `withBrought`, `room` as in `areTouched`.
   */
  async withTaken(
    before: Walk,
    begun: bigint,
    differences: readonly Difference[],
    room: number,
  ): Promise<readonly Difference[]> {
    const isNew = ({ before: old, after }: Difference) => !old && after?.kind === 'file' && !after.isMade;
    const hidden = before.unread.filter((folder) => !before.found.get(folder)?.isMade);
    if (hidden.length === 0 || !differences.some(isNew)) return differences;
    if (!(await this.areTouched(hidden, begun, room))) return differences;
    return differences.map((each) => (isNew(each) ? { ...each, isBrought: true } : each));
  }

  /**
   * Whether names have come or gone since `begun` in one of these folders, or below them, but for what can be made again.
   * True where that cannot be known, and where it would cost more than `room`: then more of it is known the next time.
   */
  async areTouched(folders: readonly string[], begun: bigint, room: number): Promise<boolean> {
    // More than all of them: most are not there any more.
    if (this.#known.size > room / FOLDER) this.#known.clear();
    const rest: Room = { left: room, slices: new TimeSlices() };
    const rules: KnownRules = new Map();
    const next = [...folders];
    for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
      if (await isMadeAgain(folder, rules)) continue;
      const touched = lastTouch(folder);
      if (touched === undefined || touched + grainOf(touched) >= begun) return true;
      for (const below of await this.#foldersIn(folder, touched, rest)) next.push(below);
      if (rest.left < 0) return true;
    }
    return false;
  }

  /** None where there is no room for all. */
  async #foldersIn(folder: string, touched: bigint, room: Room): Promise<readonly string[]> {
    await room.slices.rest();
    room.left -= FOLDER;
    const known = this.#known.get(folder);
    if (known?.touched === touched) return known.folders;
    const folders: string[] = [];
    for (const entry of entriesOf(folder)) {
      await room.slices.rest();
      room.left -= 1;
      if (room.left < 0) return [];
      if (entry.isDirectory() && entry.name !== '.git') folders.push(join(folder, entry.name));
    }
    this.#known.set(folder, { touched, folders });
    return folders;
  }
}

/** Undefined where it is not there any more, or cannot be reached. */
function lastTouch(folder: string): bigint | undefined {
  try {
    return look(folder, false, 0n)?.touched;
  } catch {
    return undefined;
  }
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
