import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isRoot, NOBODY } from '../../../support/nobody.ts';
import { callToolsAsNobody, nobodysDir } from './call-tools-as-nobody.ts';

type Modes = Readonly<Record<string, number>>;

/** Files and, with a `/` at their end, directories, outermost first. */
async function folderWith(modes: Modes): Promise<string> {
  const folder = await nobodysDir();
  const paths = Object.keys(modes).map((name) => join(folder, name));
  for (const path of paths) {
    if (path.endsWith('/')) await mkdir(path);
    else await writeFile(path, 'old\n');
    if (isRoot) await chown(path, NOBODY, NOBODY);
  }
  for (const [name, mode] of Object.entries(modes).reverse()) await chmod(join(folder, name), mode);
  return folder;
}

const operations = [{ op: 'insert', afterLine: 0, content: ['x'] }];

const refusals: readonly [tool: string, modes: Modes, input: object, path: string][] = [
  ['read', { a: 0o200 }, { path: 'a' }, 'ROOT/a'],
  ['read', { 'd/': 0o600, 'd/a': 0o600 }, { path: 'd/a' }, 'ROOT/d/a'],
  ['list_dir', { 'd/': 0o300 }, { path: 'd' }, 'ROOT/d'],
  ['list_dir', { 'd/': 0o600, 'd/e/': 0o700 }, { path: 'd/e' }, 'ROOT/d/e'],
  ['write', { a: 0o400 }, { path: 'a', content: 'x' }, 'ROOT/a'],
  ['write', { 'd/': 0o500 }, { path: 'd/a', content: 'x' }, 'ROOT/d/a'],
  ['write', { 'd/': 0o500 }, { path: 'd/e/f/a', content: 'x' }, 'ROOT/d/e/f/a'],
  ['write', {}, { path: '/etc/harness-test', content: 'x' }, '/etc/harness-test'],
  ['edit', { a: 0o400 }, { path: 'a', operations }, 'ROOT/a'],
  ['edit', { a: 0o000 }, { path: 'a', operations }, 'ROOT/a'],
  ['move', { 'd/': 0o600, 'd/a': 0o600 }, { source: 'd/a', destination: 'b' }, 'cannot read ROOT/d/a'],
  ['move', { a: 0o600, 'd/': 0o500 }, { source: 'a', destination: 'd/b' }, 'cannot write to ROOT/d/b'],
  ['move', { a: 0o600, 'd/': 0o500 }, { source: 'a', destination: 'd/e/b' }, 'cannot write to ROOT/d/e/b'],
  ['move', { 'd/': 0o500, 'd/a': 0o600 }, { source: 'd/a', destination: 'b' }, 'cannot write to ROOT/d'],
];

it('says what was denied and leaves everything as it was', async () => {
  const folders = await Promise.all(refusals.map(([, modes]) => folderWith(modes)));
  const listing = () => Promise.all(folders.map((folder) => readdir(folder, { recursive: true })));
  const before = await listing();
  const calls = refusals.map(([tool, , input], index) => ({ root: folders[index] ?? '', tool, input }));
  expect(await callToolsAsNobody(calls)).toEqual(
    refusals.map(([, , , path], index) => ({
      error: `permission denied: ${path.replace('ROOT', folders[index] ?? '')}`,
    })),
  );
  expect(await listing()).toEqual(before);
});

it('changes what it may', async () => {
  const root = await folderWith({ a: 0o600 });
  const results = await callToolsAsNobody([
    { root, tool: 'edit', input: { path: 'a', operations } },
    { root, tool: 'move', input: { source: 'a', destination: 'd/b' } },
  ]);
  expect(results).toEqual([
    { path: join(root, 'a'), linesChanged: 1, newLineCount: 2 },
    { source: join(root, 'a'), destination: join(root, 'd/b') },
  ]);
  expect(await readFile(join(root, 'd/b'), 'utf8')).toBe('x\nold\n');
});

it('leaves the old file and nothing else where there is no room for the new one', async () => {
  const root = await folderWith({ a: 0o600 });
  const content = 'x'.repeat(20_000);
  const results = await callToolsAsNobody(
    [
      { root, tool: 'write', input: { path: 'a', content } },
      { root, tool: 'write', input: { path: 'new/deep/b', content } },
    ],
    "trap '' XFSZ; ulimit -f 8",
  );
  expect(results).toEqual([
    { error: expect.stringContaining(`disk full: could not write ${root}/a`) },
    { error: expect.stringContaining(`disk full: could not write ${root}/new/deep/b`) },
  ]);
  expect(await readFile(join(root, 'a'), 'utf8')).toBe('old\n');
  expect(await readdir(root)).toEqual(['a']);
});
