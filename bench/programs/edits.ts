// Plays changes of the repository's history through `edit`, as models would write them. Arguments: the
// repository, a folder for the file, and the number of hunks for each variant. Prints the outcomes as JSON.
import { join } from 'node:path';
import type { FileVersions } from '../../test/support/edits/file-change.ts';
import { type Outcome, playScene } from '../../test/support/edits/play-scene.ts';
import { VARIANTS, type Variant } from '../../test/support/edits/scenes.ts';
import { gitChanges } from '../lib/git-changes.ts';

const [repository = '', folder = '', hunks = '1'] = process.argv.slice(2);
const count = Number(hunks);
/** Not every variant says something about every hunk. */
const CHANGES = 3 * count;

export interface Outcomes extends Readonly<Record<Outcome, number>> {
  /** The edits must be refused. */
  readonly isAmbiguous: boolean;
}

/** Scenes that are played at the same time, because each one waits for the disk. */
const TOGETHER = 16;

async function play(changes: readonly FileVersions[], variant: Variant): Promise<Outcomes> {
  const possible = changes
    .map((versions, seed) => variant(versions, seed % versions.hunks.length, seed))
    .filter((scene) => scene !== undefined);
  if (possible.length < count) throw new Error(`The history has only ${possible.length} hunks of ${count}.`);
  // Spread evenly over the history.
  const scenes = possible.filter((_, at) => (at * count) % possible.length < count);
  const counts = { right: 0, refused: 0, elsewhere: 0, wrong: 0 };
  for (let first = 0; first < count; first += TOGETHER) {
    const together = scenes.slice(first, first + TOGETHER);
    const played = together.map((scene, place) => playScene(join(folder, `${place}.txt`), scene));
    for (const { outcome } of await Promise.all(played)) counts[outcome] += 1;
  }
  return { ...counts, isAmbiguous: scenes.every(({ isRight }) => !isRight) };
}

const changes = await gitChanges(repository, CHANGES);
const results: Record<string, Outcomes> = {};
for (const [name, variant] of Object.entries(VARIANTS)) results[name] = await play(changes, variant);
console.log(JSON.stringify(results));
