import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile } from '../../../../extension/node/fs/replace-file.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('the file has the new text and the user alone can read it', async () => {
  const folder = await tempDir();
  const path = join(folder, 'a');
  await writeFile(path, 'old', { mode: 0o644 });
  await replaceFile(path, 'new\n');
  expect(await readFile(path, 'utf8')).toBe('new\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['a']);
});

test('where it fails, what was there stays, and nothing is left beside it', async () => {
  const folder = await tempDir();
  await mkdir(join(folder, 'directory/inner'), { recursive: true });
  await expect(replaceFile(join(folder, 'directory'), 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(await readdir(folder)).toEqual(['directory']);
  expect(await readdir(join(folder, 'directory'))).toEqual(['inner']);
});
