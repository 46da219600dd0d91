// No restore takes the last copy of anything from the disk: what a command has moved is known again, and what may hold what
// cannot be put back stays until the user decides.
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
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
  { what: 'the same command', calls: [bash('gzip -c data.csv > copy; rm data.csv')] },
  { what: 'a command before', calls: [bash('cp data.csv copy'), bash('sed -i s/precious/plain/ data.csv')] },
  {
    what: 'a command before, and moved by a call',
    calls: [bash('gzip -c data.csv > b; rm data.csv'), ['move', { source: 'b', destination: 'copy' }]],
  },
] as const)(
  'what $what has made of a file that cannot be put back stays until the user decides',
  async (each) => {
    const { at, put, read, run, restore, session } = await undoDesk();
    await put('data.csv', LARGE);
    const before = await run(write('own.txt', 'of the model'), ...each.calls);
    const copy = await read('copy');
    expect(await restore(before)).toMatchObject({ 'own.txt': 'identical', 'data.csv': 'kept', copy: 'kept' });
    expect(await read('copy')).toBe(copy);
    expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
      message: expect.stringMatching(
        /copy was left alone: it may hold what .*data\.csv was, which cannot be put back\./,
      ),
    });
    expect(await restore(before, new Map([[at('copy'), 'restore']]))).toMatchObject({ copy: 'identical' });
    expect(await read('copy')).toBeUndefined();
  },
);

test('what a tool makes again is no reason to keep what a command has made beside it', async () => {
  const { at, put, read, run, undo } = await undoDesk();
  await mkdir(at('.git'));
  await put('.gitignore', 'target/\n');
  await mkdir(at('target'));
  await put('target/app', 'old');
  await run(bash('echo new > target/app; echo new > target/more; echo new > made.txt'));
  expect(await undo()).toEqual({ 'made.txt': 'identical', 'target/app': 'kept', 'target/more': 'identical' });
  expect(await read('made.txt')).toBeUndefined();
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
    message: expect.stringContaining(`Repositories were moved, each as a whole: packages/sub → ${to}.`),
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

test.each([
  { what: 'from outside of the workspace', commands: ['mv ../downloaded.csv data.csv'] },
  { what: 'over a file', commands: ['mv ../downloaded.csv old.csv'] },
  { what: 'and then made smaller', commands: ['mv ../downloaded.csv d', 'gzip -c d > e; rm d'] },
  { what: 'from where nothing was looked at', commands: ['mv a/b/c/mine.csv .'] },
  {
    what: 'from where nothing was looked at, and edited there,',
    commands: ['mv a/b/c/mine.csv . && sed -i s/mine/MINE/ mine.csv'],
  },
  {
    what: 'from where nothing was looked at, which seems untouched, and edited there,',
    commands: ['mv a/b/c/mine.csv . && touch -d 2020-01-01 a/b/c && sed -i s/mine/MINE/ mine.csv'],
  },
  {
    what: 'from a target outside of a repository',
    commands: ['mv a/b/target/mine.csv . && sed -i s/mine/MINE/ mine.csv'],
  },
  {
    what: 'from where nothing was looked at, as a copy,',
    commands: ['cp a/b/c/mine.csv . && rm a/b/c/mine.csv'],
  },
])('what a command has moved here $what stays until the user decides', async ({ commands }) => {
  const { at, put, run, undo, root, session } = await undoDesk({ scanLimits: { maxEntries: 5 } });
  await mkdir(at('a/b/c'), { recursive: true });
  await mkdir(at('a/b/target'));
  await age(at('a/b/target/mine.csv'), 'mine', 2021);
  await age(at('../downloaded.csv'), 'mine', 2020);
  await age(at('a/b/c/mine.csv'), 'mine', 2021);
  await age(at('old.csv'), 'old', 2022);
  await put('a/b/new.csv', 'new');
  await run(...commands.map(bash));
  const made = await treeOf(root);
  expect(Object.values(await undo())).toContain('kept');
  expect(await treeOf(root)).toEqual(made);
  expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
    message: expect.stringMatching(/was left alone: it may (be a file that was moved here|hold what)/),
  });
});

test('what keeps the time of a file of the workspace was made of that, and is taken back', async () => {
  const { at, run, undo, root } = await undoDesk();
  await age(at('a.txt'), 'mine', 2020);
  const old = await treeOf(root);
  await run(bash('cp -p a.txt b.txt; gzip a.txt; tar cf c.tar b.txt; rm b.txt; tar xf c.tar'));
  expect(new Set(Object.values(await undo()))).toEqual(new Set(['identical']));
  expect(await treeOf(root)).toEqual(old);
});

const COPY = "require('fs').cpSync('src', 'lib', { recursive: true, preserveTimestamps: true })";
const BUILD =
  "const fs = require('fs'); fs.mkdirSync('lib');" +
  "for (const name of fs.readdirSync('src')) { const { atime, mtime } = fs.statSync('src/' + name);" +
  "fs.writeFileSync('lib/' + name, 'built'); fs.utimesSync('lib/' + name, atime, mtime); }";

test.each([
  { by: 'tar, by the second', command: 'mkdir lib; tar cf - src | tar xf - -C lib', to: 'lib/src' },
  { by: 'a copy, by the microsecond', command: `node -e "${COPY}"`, to: 'lib' },
  { by: 'a build, by the millisecond', command: `node -e "${BUILD}"`, to: 'lib' },
])('what keeps it less exactly ($by), too', async ({ command, to }) => {
  const { at, run, undo, root } = await undoDesk();
  await mkdir(at('src'));
  for (let index = 0; index < 20; index++) {
    await writeFile(at(`src/${index}`), `mine ${index}`);
    await utimes(at(`src/${index}`), 0, 1_600_000_000 + index * 1.1234567);
  }
  const old = await treeOf(root);
  await run(bash(command));
  expect(Object.keys(await treeOf(root))).toContain(`${to}/0`);
  expect(new Set(Object.values(await undo()))).toEqual(new Set(['identical']));
  expect(await treeOf(root)).toEqual(old);
});

test('what has the second of a file of the workspace, but not its size, may come from elsewhere', async () => {
  const { at, run, undo } = await undoDesk();
  await writeFile(at('a.txt'), 'mine');
  await utimes(at('a.txt'), 0, 1_600_000_000.6);
  await writeFile(at('../other.csv'), 'other');
  await utimes(at('../other.csv'), 0, 1_600_000_000);
  await run(bash('cp -p ../other.csv other.csv; rm ../other.csv'));
  expect(await undo()).toEqual({ 'other.csv': 'kept' });
});

test('links and empty folders that were moved here stay until the user decides; those of the command go', async () => {
  const { at, run, undo, root } = await undoDesk();
  await mkdir(at('../box/empty'), { recursive: true });
  await symlink('/somewhere', at('../box/link'));
  await setTimeout(100);
  await run(
    bash('mv ../box .; mkdir own own/empty; ln -s a own/link; tar cf t.tar own; rm -r own; tar xf t.tar'),
  );
  const kept = { box: 'kept', 'box/empty': 'kept', 'box/link': 'kept' };
  expect(await undo()).toMatchObject({ ...kept, own: 'identical', 'own/link': 'identical' });
  expect(Object.keys(await treeOf(root)).sort()).toEqual(Object.keys(kept));
});

test.each([
  { what: 'as this machine’s', ahead: 0 },
  { what: 'behind', ahead: -10_000 },
  { what: 'ahead', ahead: 10_000 },
])(
  'where the clock of the file system is $what, what a command has made goes, and what it moved here stays',
  async ({ ahead }) => {
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - ahead);
    onTestFinished(() => void vi.restoreAllMocks());
    const { put, run, undo, root } = await undoDesk();
    await run(bash('echo x > z.txt; mkdir dist; echo y > dist/app.js'));
    expect(new Set(Object.values(await undo()))).toEqual(new Set(['identical']));
    expect(await treeOf(root)).toEqual({});
    await put('../mine.txt', 'the user has just saved it');
    await setTimeout(1_000);
    await run(bash('mv ../mine.txt mine.txt'));
    expect(await undo()).toEqual({ 'mine.txt': 'kept' });
  },
);

test('what a command has made goes where nothing was taken from what was not looked at, however much that is', async () => {
  const { at, put, read, run, undo } = await undoDesk({ scanLimits: { maxEntries: 5 } });
  await mkdir(at('a/b/c/d'), { recursive: true });
  for (let index = 0; index < 60; index++) await put(`a/b/c/${index}`, '');
  await setTimeout(100);
  await run(bash('echo made > made.txt'));
  expect(await undo()).toEqual({ 'made.txt': 'identical' });
  expect(await read('made.txt')).toBeUndefined();
});

async function age(path: string, content: string, year: number): Promise<void> {
  await writeFile(path, content);
  await utimes(path, new Date(year, 1), new Date(year, 1));
}

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
  { what: 'a file that was moved over another', call: bash('mv a.txt c.txt'), copy: 'c.txt' },
  {
    what: 'a file that was moved over another, and edited there,',
    call: bash('mv a.txt c.txt; echo more >> c.txt'),
    copy: 'c.txt',
    holds: 'minemore\n',
  },
])(
  '$what does not leave its new place where it cannot be put back',
  async ({ call, copy, holds = 'mine' }) => {
    let full: string | undefined;
    const { at, put, read, run, restore, root, session } = await undoDesk({ files: failingAt(() => full) });
    await put('a.txt', 'mine');
    await put('c.txt', 'other');
    const old = await treeOf(root);
    const before = await run(call, write('b.txt', 'b'));
    const made = await treeOf(root);
    full = at('a.txt');
    expect(await restore(before)).toMatchObject({ 'a.txt': 'failed' });
    expect(await read(copy)).toBe(holds);
    expect(await treeOf(root)).toEqual(made);
    expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
      message: expect.stringMatching(
        /b\.txt was not restored: it stays, since .*a\.txt could not be put back\./,
      ),
    });
    full = undefined;
    expect(new Set(Object.values(await restore(before)))).toEqual(new Set(['identical']));
    expect(await treeOf(root)).toEqual(old);
  },
);

test.each(['a.txt', 'b.txt'])(
  'of two files that were swapped both stay where %s cannot be put back',
  async (name) => {
    let full: string | undefined;
    const { at, put, run, restore, root } = await undoDesk({ files: failingAt(() => full) });
    await put('a.txt', 'a');
    await put('b.txt', 'b');
    const before = await run(bash('mv a.txt t; mv b.txt a.txt; mv t b.txt'));
    const made = await treeOf(root);
    full = at(name);
    expect(await restore(before)).toEqual({ 'a.txt': 'failed', 'b.txt': 'failed' });
    expect(await treeOf(root)).toEqual(made);
  },
);
