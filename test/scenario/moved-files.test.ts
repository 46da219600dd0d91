// What a command has moved is known again, and goes back to its old place, large or never kept.
import { mkdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { FileTree } from '../../extension/core/ports/file-tree.ts';
import { WorkspaceError } from '../../extension/core/ports/workspace.ts';
import { nodeFileTree } from '../../extension/node/fs/node-file-tree.ts';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk, type Wanted, write } from '../support/undo-desk.ts';

/** More than is kept aside of a file in case that a command changes it. */
const LARGE = Buffer.alloc(5_500_000, 'precious line\n');

test.each([
  { what: 'into a new folder', commands: ['mkdir archive && mv data.csv archive/'] },
  { what: 'over another file', commands: ['mv data.csv notes.txt'] },
  { what: 'by two commands', commands: ['mkdir a && mv data.csv a/', 'mv a/data.csv b.csv; rmdir a'] },
  { what: 'with another one', commands: ['mv data.csv t; mv other.csv data.csv; mv t other.csv'] },
  { what: 'in a folder that was renamed', commands: ['mv target goals; mv node_modules modules'] },
])('what a command has moved $what is at its old place again, large or never kept', async ({ commands }) => {
  const { at, put, run, undo, redo, root } = await undoDesk();
  await put('data.csv', LARGE);
  await put('other.csv', LARGE.subarray(10));
  await put('notes.txt', 'mine');
  for (const folder of ['target', 'node_modules']) {
    await mkdir(at(folder));
    await put(`${folder}/list.txt`, `my own ${folder}`);
  }
  const old = await treeOf(root);
  await run(...commands.map(bash));
  const made = await treeOf(root);
  expect(new Set(Object.values(await undo()))).toEqual(new Set(['identical']));
  expect(await treeOf(root)).toEqual(old);
  await redo();
  expect(await treeOf(root)).toEqual(made);
});

test.each([
  {
    what: 'alone',
    command: 'mv packages/sub lib; mkdir packages/sub; echo x > packages/sub/more',
    to: 'lib',
  },
  { what: 'with the folder that it is in', command: 'mv packages libs', to: 'libs/sub' },
])('a repository that a command has moved $what is not torn apart', async ({ command, to }) => {
  const { at, put, read, run, undo, session } = await undoDesk();
  await mkdir(at('packages/sub/.git'), { recursive: true });
  await put('packages/sub/.git/HEAD', 'ref: refs/heads/main');
  await put('packages/sub/a', 'one');
  await put('packages/b', 'two');
  await run(bash(`${command}; echo made > made.txt`));
  const files = await undo();
  expect(files).toMatchObject({ 'made.txt': 'identical' });
  expect(Object.keys(files).filter((path) => path.startsWith(to))).toEqual([]);
  expect([await read(`${to}/a`), await read(`${to}/.git/HEAD`)]).toEqual(['one', 'ref: refs/heads/main']);
  expect([await read('packages/sub/a'), await read('packages/sub/more')]).toEqual([undefined, undefined]);
  expect(await read('packages/b')).toBe('two');
  expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
    message: expect.stringContaining(`Repositories were moved as a whole: packages/sub → ${to}.`),
  });
});

test('of more changes than are listed, nothing is taken away that came from what is not', async () => {
  const { at, put, run, undo, root } = await undoDesk({ scanLimits: { maxChanges: 12 } });
  await mkdir(at('z'));
  for (let index = 0; index < 10; index++) await put(`z/f${index}`, `file ${index}`);
  await run(bash('mv z a'));
  await undo();
  const contents = new Set(Object.values(await treeOf(root)));
  for (let index = 0; index < 10; index++) expect(contents).toContain(`644 file ${index}`);
});

/** The files, where nothing can be written at `path` until it may be. */
function failingAt(path: () => string | undefined): FileTree {
  return {
    ...nodeFileTree,
    write: async (at, bytes, mode) => {
      if (at === path()) throw new WorkspaceError('failed', at, 'the disk is full');
      return nodeFileTree.write(at, bytes, mode);
    },
  };
}

test.each([
  {
    what: 'a file that was moved',
    call: ['move', { source: 'a.txt', destination: 'sub/a.txt' }] as Wanted,
    copy: 'sub/a.txt',
  },
  {
    what: 'a file that was moved into a folder in its place',
    call: bash('mv a.txt t; mkdir a.txt; mv t a.txt/deep'),
    copy: 'a.txt/deep',
  },
])('$what stays at its new place where it cannot be put back', async ({ call, copy }) => {
  let full: string | undefined;
  const { at, put, read, run, restore, root, session } = await undoDesk({ files: failingAt(() => full) });
  await put('a.txt', 'mine');
  await put('c.txt', 'other');
  const old = await treeOf(root);
  const before = await run(call, write('b.txt', 'b'));
  const made = await treeOf(root);
  full = at('a.txt');
  expect(await restore(before)).toMatchObject({ 'a.txt': 'failed' });
  expect(await read(copy)).toBe('mine');
  expect(await treeOf(root)).toEqual(made);
  expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
    message: expect.stringMatching(
      /b\.txt was not restored: it stays because .*a\.txt could not be restored\./,
    ),
  });
  full = undefined;
  expect(new Set(Object.values(await restore(before)))).toEqual(new Set(['identical']));
  expect(await treeOf(root)).toEqual(old);
});
