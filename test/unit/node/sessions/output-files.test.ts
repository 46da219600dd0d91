import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outputFilesIn, sessionsWithBackground } from '../../../../extension/node/sessions/output-files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('each name has a file of its own, however a model spells it, for the user alone', async () => {
  const outputs = outputFilesIn(await tempDir())('1');
  const names = ['a/b', 'a_b', '../a', 'x'.repeat(300)];
  const paths = names.map((name) => outputs.keep(name, name) ?? '');
  expect(new Set(paths).size).toBe(names.length);
  for (const [index, path] of paths.entries()) {
    expect(path.startsWith(`${outputs.folder}/`)).toBe(true);
    expect(await readFile(path, 'utf8')).toBe(names[index]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  }
});

test('a text that the disk does not take has no file', async () => {
  const root = await tempDir();
  await writeFile(join(root, '1'), '');
  expect(outputFilesIn(root)('1').keep('a', 'text')).toBeUndefined();
});

test('a session without an end of its background command is found, others are not', async () => {
  const root = await tempDir();
  for (const id of ['1', '2', '3'])
    await writeFile(outputFilesIn(root)(id).fileFor(id === '3' ? 'call x' : 'bg1'), '');
  await writeFile(`${outputFilesIn(root)('2').fileFor('bg1')}.exit`, '0\n');
  await mkdir(join(root, 'attachments'));
  expect(await sessionsWithBackground(root)).toEqual(['1']);
});
