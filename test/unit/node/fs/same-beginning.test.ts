import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginsWith } from '../../../../extension/node/fs/same-beginning.ts';
import { failFiles } from '../../../support/files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

async function twoFiles(content: string, beginning: string): Promise<readonly [string, string]> {
  const folder = await tempDir();
  const paths = [join(folder, 'whole'), join(folder, 'beginning')] as const;
  await writeFile(paths[0], content);
  await writeFile(paths[1], beginning);
  return paths;
}

test.each([
  ['one two', 'one', true],
  ['one', 'one', true],
  ['one', '', true],
  ['one', 'one two', false],
  ['two one', 'one', false],
])('%j and %j: %j', async (content, beginning, expected) => {
  expect(await beginsWith(...(await twoFiles(content, beginning)))).toBe(expected);
});

test('whichever operation fails, no file stays open', async () => {
  const paths = await twoFiles('one two', 'one');
  for (let nth = 1; ; nth += 1) {
    const faults = failFiles(join(paths[0], '..'), nth, false);
    await beginsWith(...paths).catch(() => undefined);
    faults.stop();
    // What it may have left behind is done by then.
    await Promise.all(paths.map((path) => stat(path)));
    expect(faults.open, faults.first).toEqual([]);
    if (faults.first === '') return;
  }
});
