import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { removeLeftovers, temporaryBeside } from '../../../../extension/node/fs/temporary-files.ts';
import { NOBODY } from '../../../support/crafted-lock.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const DAY_MS = 86_400_000;

/** A temporary file of a process that is not to be seen here, in the place that `place` makes of this one. */
async function leftBy(place: (here: string) => string) {
  const folder = await tempDir();
  const own = basename(temporaryBeside(join(folder, 'x')));
  const [, here = ''] = /^\.harness-\d+-(.*)-[0-9a-f-]{36}\.tmp$/.exec(own) ?? [];
  const name = own.replace(`-${process.pid}-${here}-`, `-${NOBODY}-${place(here)}-`);
  await writeFile(join(folder, name), '');
  return { folder, name };
}

function later(ms: number): void {
  const then = Date.now() + ms;
  vi.spyOn(Date, 'now').mockReturnValue(then);
  onTestFinished(() => void vi.restoreAllMocks());
}

test('what a dead process has left is removed at once', async () => {
  const { folder } = await leftBy((here) => here);
  await removeLeftovers(folder);
  expect(await readdir(folder)).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'what a process in another namespace has made, as in a container of the same name, stays for a day',
  async () => {
    const { folder, name } = await leftBy((here) => here.replace(/\d+$/, '1'));
    await removeLeftovers(folder);
    expect(await readdir(folder)).toEqual([name]);
    later(DAY_MS + 60_000);
    await removeLeftovers(folder);
    expect(await readdir(folder)).toEqual([]);
  },
);

test('what a process of another machine has made stays', async () => {
  const { folder, name } = await leftBy((here) => `other${here}`);
  later(2 * DAY_MS);
  await removeLeftovers(folder);
  expect(await readdir(folder)).toEqual([name]);
});
