import { symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { directoryTree } from '../../../../extension/node/search/directory-tree.ts';
import { createFileSearch } from '../../../../extension/node/search/file-search.ts';
import { nearPaths } from '../../../../extension/node/search/near-paths.ts';
import { folderWith } from '../../../support/folder-with.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';

const signal = new AbortController().signal;

describe.each([
  ['ripgrep', ripgrepPath],
  ['no ripgrep', undefined],
])('finding files with %s', (_, path) => {
  const files = createFileSearch(path);
  const find = async (folder: string, pattern: string, most = 100) => {
    const { paths, omitted } = await files.find({ pattern, path: folder, most }, signal);
    return { names: paths.map((file) => file.slice(folder.length + 1)), omitted };
  };

  it('gives the newest first, cuts and counts', async () => {
    const folder = await folderWith({ 'a.ts': '', 'src/b.ts': '', 'src/c.ts': '', 'd.js': '' });
    for (const [index, name] of ['src/b.ts', 'a.ts', 'src/c.ts'].entries())
      await utimes(join(folder, name), 1_000 - index, 1_000 - index);
    expect(await find(folder, '*.ts')).toEqual({ names: ['src/b.ts', 'a.ts', 'src/c.ts'], omitted: 0 });
    expect(await find(folder, '*.ts', 1)).toEqual({ names: ['src/b.ts'], omitted: 2 });
    expect(await find(folder, '*.none')).toEqual({ names: [], omitted: 0 });
  });

  it('leaves out links, .git, what the ignore files name, and hidden files that are not named', async () => {
    const folder = await folderWith({
      '.gitignore': 'dist/\n*.log\n',
      '.git/config': '',
      '.github/ci.yml': '',
      'dist/a': '',
      'x.log': '',
      'sub/kept': '',
    });
    await symlink('sub/kept', join(folder, 'link'));
    await symlink('sub', join(folder, 'linked'));
    expect((await find(folder, '**')).names).toEqual(['sub/kept']);
    expect((await find(folder, '.github/**')).names).toEqual(['.github/ci.yml']);
    expect((await find(folder, '**/.git/**')).names).toEqual([]);
    expect((await find(folder, '*.log')).names).toEqual([]);
    expect((await find(join(folder, 'dist'), 'a')).names).toEqual(['a']);
  });

  it('says what is wrong with a glob', async () => {
    const folder = await folderWith({ a: '' });
    await expect(find(folder, '[')).rejects.toMatchObject({ reason: 'invalid-pattern' });
    await expect(find(join(folder, 'none'), '*')).rejects.toMatchObject({ reason: 'not-found' });
  });

  it('finds the name elsewhere, and similar names in the nearest folder, in the workspace alone', async () => {
    const folder = await folderWith({
      'src/date.ts': '',
      'src/lib/format.ts': '',
      'test/lib/format.ts': '',
      'Readme.md': '',
    });
    const near = (path: string) => nearPaths(join(folder, path), folder, files.list, signal);
    expect(await near('test/format.ts')).toEqual([
      join(folder, 'test/lib/format.ts'),
      join(folder, 'src/lib/format.ts'),
    ]);
    expect(await near('src/dates.ts')).toEqual([join(folder, 'src/date.ts')]);
    expect(await near('README.md')).toEqual([join(folder, 'Readme.md')]);
    expect(await near('srcs/new/other.ts')).toEqual([join(folder, 'src')]);
    expect(await near('unlike-all-of-them')).toEqual([]);
    expect(await nearPaths('/nowhere/a', folder, files.list, signal)).toEqual([]);
    expect(await nearPaths(join(folder, 'x'), join(folder, 'gone'), files.list, signal)).toEqual([]);
  });
});

it('lists a tree so deep, without ignored names, with links as names', async () => {
  const folder = await folderWith({
    '.gitignore': 'dist\n',
    'dist/a': '',
    'src/core/deep/x.ts': '',
    'src/a.ts': '',
    '.hidden': '',
  });
  await symlink('src', join(folder, 'link'));
  expect(await directoryTree(folder, 2, signal)).toBe(
    ['.gitignore', '.hidden', 'link', 'src/', '  a.ts', '  core/'].join('\n'),
  );
  expect(await directoryTree(folder, 5, signal)).toContain('  core/\n    deep/\n      x.ts');
  expect(await directoryTree(join(folder, 'dist'), 2, signal)).toBe('a');
  await expect(directoryTree(join(folder, 'none'), 2, signal)).rejects.toMatchObject({ reason: 'not-found' });
});

it('cuts a large tree at its lower levels, and counts what it left out', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`a/deep/f${index}`, '']));
  const folder = await folderWith({ ...many, 'z/last': '' });
  const lines = (await directoryTree(folder, 3, signal)).split('\n');
  expect(lines).toContain('z/');
  expect(lines).toContain('  last');
  expect(lines).toHaveLength(1_001);
  expect(lines.at(-1)).toBe('... (204 more names left out; give a smaller depth or a directory below)');
});
