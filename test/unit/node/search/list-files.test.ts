import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Listing, listFiles } from '../../../../extension/node/search/list-files.ts';
import { folderWith } from '../../../support/folder-with.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';

const OWN = { own: true, parents: false, global: false };

async function list(folder: string, options: Partial<Listing> = {}): Promise<readonly string[]> {
  const plain = { ripgrep: ripgrepPath, excluded: [], ignores: OWN, followsLinks: false, most: 100 };
  const listing = { ...plain, folder, ...options };
  return [...(await listFiles(listing, new AbortController().signal))].sort();
}

it('leaves out what the ignore files name, unless they do not count', async () => {
  const files = { '.gitignore': 'out\n*.log\n', 'a.ts': '', 'out/b.ts': '', 'src/c.log': '', 'src/.env': '' };
  const folder = await folderWith(files);
  expect(await list(folder)).toEqual(['.gitignore', 'a.ts', 'src/.env']);
  const ignores = { ...OWN, own: false };
  expect(await list(folder, { ignores })).toEqual(Object.keys(files).sort());
});

it('asks the ignore files above only where that is wanted', async () => {
  const root = await folderWith({ '.gitignore': '*.log', 'inner/a.ts': '', 'inner/b.log': '' });
  await mkdir(join(root, '.git'));
  const folder = join(root, 'inner');
  expect(await list(folder)).toEqual(['a.ts', 'b.log']);
  expect(await list(folder, { ignores: { ...OWN, parents: true } })).toEqual(['a.ts']);
});

it('leaves out what VS Code’s settings exclude, and what belongs to Git itself', async () => {
  const folder = await folderWith({
    '.git/config': '',
    'dist/a.js': '',
    'src/dist/a.js': '',
    'src/node_modules/m/a.js': '',
    'src/a.js': '',
    'src/a.js.map': '',
  });
  const excluded = ['**/node_modules', 'dist', '**/*.{map,orig}'];
  expect(await list(folder, { excluded })).toEqual(['src/a.js', 'src/dist/a.js']);
});

it('ends at the limit, with whole paths', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `${'long-name-'.repeat(20)}${index}.txt`);
  const folder = await folderWith(Object.fromEntries(names.map((name) => [name, ''])));
  const found = await list(folder, { most: 100 });
  expect(found.length).toBeGreaterThan(50);
  expect(found.length).toBeLessThanOrEqual(100);
  for (const name of found) expect(names).toContain(name);
});

it('follows links to folders where that is wanted', async () => {
  const folder = await folderWith({ 'real/a.ts': '' });
  await symlink('real', join(folder, 'linked'));
  expect(await list(folder)).toEqual(['real/a.ts']);
  expect(await list(folder, { followsLinks: true })).toEqual(['linked/a.ts', 'real/a.ts']);
});

it('rejects where ripgrep does not run', async () => {
  const folder = await folderWith({ 'a.ts': '' });
  await expect(list(folder, { ripgrep: join(folder, 'missing') })).rejects.toThrow('ENOENT');
});
