import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { versionOf } from '../../../../extension/core/base/content-hash.ts';
import { NodeWorkspace } from '../../../../extension/node/workspace.ts';
import { tempDir } from '../../../support/temp-dir.ts';

async function desk() {
  const folder = await tempDir();
  const path = join(folder, 'a.txt');
  await writeFile(path, 'a');
  const workspace = new NodeWorkspace([], () => Promise.reject(new Error('no search here')));
  const remove = (name: string, content: string) =>
    workspace.apply({ kind: 'delete', path: join(folder, name), expect: versionOf(Buffer.from(content)) });
  return { folder, path, remove };
}

test('a file of the expected version is deleted', async () => {
  const { path, remove } = await desk();
  expect(await remove('a.txt', 'a')).toBeUndefined();
  await expect(readFile(path)).rejects.toThrow('ENOENT');
});

test('a file of another version stays', async () => {
  const { path, remove } = await desk();
  await expect(remove('a.txt', 'b')).rejects.toMatchObject({ reason: 'changed', path });
  expect(await readFile(path, 'utf8')).toBe('a');
});

test('what is no file stays', async () => {
  const { folder, path, remove } = await desk();
  await mkdir(join(folder, 'sub'));
  await symlink('a.txt', join(folder, 'link'));
  await expect(remove('sub', '')).rejects.toMatchObject({ reason: 'is-directory' });
  await expect(remove('link', 'a')).rejects.toMatchObject({ reason: 'not-regular' });
  await expect(remove('none', '')).rejects.toMatchObject({ reason: 'not-found' });
  expect(await readFile(path, 'utf8')).toBe('a');
});
