// What models do when they edit, on made files. `npm run bench -- --only edits` does the same with real changes.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { madeChanges } from '../../../support/edits/made-changes.ts';
import { type Played, playScene } from '../../../support/edits/play-scene.ts';
import { VARIANTS } from '../../../support/edits/scenes.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const FILES = 60;
/** Of the scenes that are not ambiguous, the part that is applied at least. */
const LEAST_APPLIED = 0.97;

it.each(Object.entries(VARIANTS))('applies no edit wrongly: %s', async (_name, variant) => {
  const path = join(await tempDir(), 'a.ts');
  const played: Played[] = [];
  let refusals = 0;
  for (const [seed, versions] of madeChanges(FILES).entries()) {
    const scene = variant(versions, seed % versions.hunks.length, seed);
    if (!scene) continue;
    if (!scene.isRight) refusals += 1;
    played.push(await playScene(path, scene));
  }
  expect(played.length).toBeGreaterThan(FILES / 2);
  expect(played.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
  const expected = refusals > 0 ? 'refused' : 'right';
  const share = played.filter(({ outcome }) => outcome === expected).length / played.length;
  expect(share).toBeGreaterThanOrEqual(refusals > 0 ? 1 : LEAST_APPLIED);
});
