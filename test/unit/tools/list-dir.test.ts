import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listDir } from '../../../extension/core/tools/list-dir.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bench, diskWorkspace } from './call-tool.ts';

it('prints what ls -al prints', async () => {
  const folder = await tempDir();
  await mkdir(join(folder, 'sub dir'));
  await writeFile(join(folder, '.hidden'), 'x');
  await writeFile(join(folder, '-l'), 'x');
  await symlink('.hidden', join(folder, 'link'));
  await symlink('sub dir', join(folder, 'directory link'));
  const { call } = bench(diskWorkspace(folder));
  const { result, action } = await call(listDir, { path: '.' });
  expect(result).toEqual({ entries: execFileSync('ls', ['-al', folder], { encoding: 'utf8' }) });
  expect(result.entries).toContain('.hidden');
  expect(action).toMatchObject({ kind: 'read', tool: 'list_dir', targets: [{ path: folder }] });
  const below = await call(listDir, { path: 'directory link' });
  expect(below.result.entries).toMatch(/^total .*\n.* \.\n.* \.\.\n$/);
});

it('refuses what is no directory', async () => {
  const folder = await tempDir();
  await writeFile(join(folder, 'file'), '');
  const { call } = bench(diskWorkspace(folder));
  await expect(call(listDir, { path: 'none' })).rejects.toThrow(`path does not exist: ${folder}/none`);
  await expect(call(listDir, { path: 'file' })).rejects.toThrow(`not a directory: ${folder}/file`);
  await expect(call(listDir, { path: '' })).rejects.toThrow('path is empty');
  await expect(call(listDir, {})).rejects.toThrow('invalid input for list_dir: path');
});
