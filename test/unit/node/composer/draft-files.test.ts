import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readQueue, writeQueue } from '../../../../extension/node/composer/draft-files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const newPath = async () => join(await tempDir(), 'queue.json');

test('prompts come back as they were, in order; without any there is no file', async () => {
  const path = await newPath();
  expect(await readQueue(path)).toEqual([]);
  const image = { name: `attachments/${'0'.repeat(64)}.png`, title: 'a.png', bytes: 1 };
  const prompts = [
    { text: 'one\ntwo', attachments: [image] },
    { text: '' },
    { text: '"😀"' },
    { text: 'one\ntwo' },
  ];
  await writeQueue(path, prompts);
  expect(await readQueue(path)).toEqual(prompts);
  await writeQueue(path, []);
  expect(await readdir(join(path, '..'))).toEqual([]);
});

test.each(['', '[1]', '{"a":', 'null'])('a file that holds %j is set aside, and said', async (text) => {
  const path = await newPath();
  await writeFile(path, text);
  await expect(readQueue(path)).rejects.toThrow(`${path}.damaged`);
  expect(await readFile(`${path}.damaged`, 'utf8')).toBe(text);
  expect(await readQueue(path)).toEqual([]);
});
