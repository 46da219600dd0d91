// Whether names have come or gone in folders that are not looked at otherwise, and what it costs to know that.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { machineTime } from '../../../../extension/node/scan/file-clock.ts';
import { UnscannedFolders } from '../../../../extension/node/scan/unscanned-folders.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** Folders with so many files in each, all of them older than what comes. `isTaken`: whether anything has come or gone meanwhile. */
async function hidden(...sizes: readonly number[]) {
  const root = await tempDir();
  const at = (...names: readonly (string | number)[]) => join(root, ...names.map(String));
  for (const [index, size] of sizes.entries()) {
    await mkdir(at(index));
    for (let name = 0; name < size; name++) await writeFile(at(index, name), '');
  }
  const folders = new UnscannedFolders();
  const isTaken = async (room: number, meanwhile?: () => Promise<unknown>) => {
    await setTimeout(100);
    const begun = machineTime();
    await meanwhile?.();
    return folders.areTouched([root], begun, room);
  };
  return { at, isTaken };
}

test('what was read once is not read again: what is too much at first is known after some commands', async () => {
  const { isTaken } = await hidden(100, 100, 100);
  const told = [];
  for (let command = 0; command < 4; command++) told.push(await isTaken(170));
  expect(told).toEqual([true, true, false, false]);
});

test('of one folder with more in it than may be read at once it is never known', async () => {
  const { isTaken } = await hidden(300);
  for (let command = 0; command < 3; command++) expect(await isTaken(170)).toBe(true);
});

test('what has come or gone is noticed in folders that are known, and in new ones', async () => {
  const { at, isTaken } = await hidden(3, 3);
  expect(await isTaken(1_000)).toBe(false);
  expect(await isTaken(1_000, () => rm(at(1, 2)))).toBe(true);
  expect(await isTaken(1_000)).toBe(false);
  expect(await isTaken(1_000, () => mkdir(at(1, 'new')))).toBe(true);
  expect(await isTaken(1_000)).toBe(false);
  expect(await isTaken(1_000, () => writeFile(at(1, 'new', 'file'), ''))).toBe(true);
  expect(await isTaken(1_000)).toBe(false);
});
