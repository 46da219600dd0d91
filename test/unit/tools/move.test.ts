import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ABSENT } from '../../../extension/core/ports/workspace.ts';
import { edit } from '../../../extension/core/tools/edit/edit.ts';
import { move } from '../../../extension/core/tools/move.ts';
import { read } from '../../../extension/core/tools/read/read.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bench, diskWorkspace } from './call-tool.ts';

/** A name that ends in `/` is a directory, one with `->` a link; a file holds its own name. */
async function folderWith(...names: readonly string[]) {
  const folder = await tempDir();
  for (const name of names) {
    const [path = '', target] = name.split('->');
    if (target !== undefined) await symlink(target, join(folder, path));
    else if (name.endsWith('/')) await mkdir(join(folder, name), { recursive: true });
    else await writeFile(join(folder, name), name);
  }
  const tools = bench(diskWorkspace(folder));
  const go = (source: string, destination: string) => tools.call(move, { source, destination });
  return { ...tools, folder, go, tree: async () => (await readdir(folder, { recursive: true })).sort() };
}

it.each<[names: string[], source: string, destination: string, lands: string, tree: string[]]>([
  [['a'], 'a', 'b', 'b', ['b']],
  [['a'], 'a', 'new/deep/b', 'new/deep/b', ['new', 'new/deep', 'new/deep/b']],
  [['a', 'd/'], 'a', 'd', 'd/a', ['d', 'd/a']],
  [['a', 'd/'], 'a', 'd/', 'd/a', ['d', 'd/a']],
  [['a'], 'a', 'new/', 'new/a', ['new', 'new/a']],
  [['a', 'b'], 'a', 'b', 'b', ['b']],
  [['d/', 'd/a', 'e/'], 'd', 'e', 'e/d', ['e', 'e/d', 'e/d/a']],
  [['d/', 'd/a'], 'd', 'e', 'e', ['e', 'e/a']],
  [['d/', 'd/a'], 'd', 'e/', 'e', ['e', 'e/a']],
  [['d/', 'd/a', 'e/d/'], 'd', 'e', 'e/d', ['e', 'e/d', 'e/d/a']],
  [['a', 'd/a/'], 'a', 'd', 'd/a', ['d', 'd/a']],
  [['a/', 'a/x'], 'a', 'ab', 'ab', ['ab', 'ab/x']],
  [['d/', 'd/a'], 'd/a', '.', 'a', ['a', 'd']],
])('with %j moves %s to %s', async (names, source, destination, lands, tree) => {
  const before = await folderWith(...names);
  const { result, action } = await before.go(source, destination);
  const paths = { source: join(before.folder, source), destination: join(before.folder, lands) };
  expect(result).toEqual(paths);
  expect(action.targets.map((target) => target.path)).toEqual([paths.source, paths.destination]);
  expect(await before.tree()).toEqual(tree);
});

it('overwrites a file and says so beforehand', async () => {
  const { go, folder } = await folderWith('a', 'b');
  expect((await go('a', 'b')).action).toMatchObject({ kind: 'move', overwrites: true });
  expect(await readFile(join(folder, 'b'), 'utf8')).toBe('a');
  expect((await go('b', 'c')).action).toMatchObject({ overwrites: false });
});

it.each<[names: string[], source: string, destination: string, message: string]>([
  [[], 'none', 'b', 'source not found: ROOT/none'],
  [['a'], 'a/below', 'b', 'source not found: ROOT/a/below'],
  [['a'], 'a', 'a', 'source and destination are the same'],
  [['a'], 'a', './x/../a', 'source and destination are the same'],
  [['a'], 'a', '.', 'source and destination are the same'],
  [['d/'], 'd', 'd', 'source and destination are the same'],
  [['d/'], 'd', 'd/e', 'cannot move directory into itself'],
  [['d/', 'd/e/'], 'd', 'd/e', 'cannot move directory into itself'],
  [['d/', 'd/a', 'e/', 'e/d/', 'e/d/x'], 'd', 'e', 'cannot overwrite non-empty directory: ROOT/e/d'],
  [['a', 'd/', 'd/a/', 'd/a/x'], 'a', 'd', 'cannot overwrite non-empty directory: ROOT/d/a'],
  [['d/', 'a'], 'd', 'a', 'cannot overwrite a file with a directory: ROOT/a'],
  [['a', 'b'], 'a', 'b/', 'not a directory: ROOT/b'],
  [['a', 'b'], 'a', 'b/c', 'not a directory: ROOT/b'],
  [['a'], 'a', '', 'path is empty'],
  [['a'], '', 'a', 'path is empty'],
  [['a'], 'a\0', 'b', 'NUL'],
])('with %j refuses to move %s to %s', async (names, source, destination, message) => {
  const { go, folder, tree } = await folderWith(...names);
  const before = await tree();
  await expect(go(source, destination)).rejects.toThrow(message.replace('ROOT', folder));
  expect(await tree()).toEqual(before);
});

describe('a link', () => {
  it('is moved itself', async () => {
    const { go, folder, tree } = await folderWith('d/', 'd/a', 'l->d', 'broken->nowhere');
    await go('l', 'd/inner');
    await go('broken', 'kept');
    expect(await readlink(join(folder, 'd/inner'))).toBe('d');
    expect(await readlink(join(folder, 'kept'))).toBe('nowhere');
    expect(await tree()).toEqual(['d', 'd/a', 'd/inner', 'kept']);
  });

  it('is replaced where it stands in the way, and not what it leads to', async () => {
    const { go, folder } = await folderWith('a', 'b', 'l->b');
    expect((await go('a', 'l')).action).toMatchObject({ overwrites: true });
    expect((await lstat(join(folder, 'l'))).isFile()).toBe(true);
    expect(await readFile(join(folder, 'b'), 'utf8')).toBe('b');
  });

  it('to a directory is a way into it', async () => {
    const { go, folder } = await folderWith('a', 'd/', 'l->d');
    expect((await go('a', 'l')).result.destination).toBe(join(folder, 'd/a'));
    expect(await readFile(join(folder, 'd/a'), 'utf8')).toBe('a');
  });

  it('out of the workspace is judged by its own place', async () => {
    const { go, folder } = await folderWith('l->/etc/hostname');
    expect((await go('l', 'm')).action.targets).toMatchObject([{ inWorkspace: true }, { inWorkspace: true }]);
    expect(await readlink(join(folder, 'm'))).toBe('/etc/hostname');
    const outside = await tempDir();
    const { action } = await go('m', outside);
    expect(action.targets).toMatchObject([
      { inWorkspace: true },
      { path: join(outside, 'm'), inWorkspace: false },
    ]);
  });
});

it('lets what the model knows of a file go with it', async () => {
  const { go, call, folder, seen } = await folderWith('a');
  await call(read, { path: 'a' });
  const known = seen.get(join(folder, 'a'));
  await go('a', 'b');
  expect(seen.get(join(folder, 'b'))).toEqual(known);
  expect(seen.get(join(folder, 'a'))).toMatchObject({ version: ABSENT });
  await writeFile(join(folder, 'b'), 'changed');
  const operations = [{ op: 'delete', startLine: 1, endLine: 1 }];
  await expect(call(edit, { path: 'b', operations })).rejects.toThrow('you have not seen line 1');
});
