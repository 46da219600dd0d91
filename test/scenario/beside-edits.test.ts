// Where a file of a run stays as it is, the rest of the run is taken back all the same.
import { mkdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk, type Wanted, write } from '../support/undo-desk.ts';

const LINES = 'one\ntwo\nthree\nfour\n';
/** More than is kept aside of a file in case that a command changes it. */
const LARGE = Buffer.alloc(5_500_000, 'precious line\n');

/** Its first line. */
const edit = (path: string, content: string): readonly Wanted[] => [
  ['read', { path, start_line: 1, end_line: 5 }],
  ['edit', { path, operations: [{ op: 'replace', startLine: 1, endLine: 1, content: [content] }] }],
];

test('what the agent has made beside a file that stays goes, and what it has edited is what it was', async () => {
  const { at, put, read, run, undo } = await undoDesk();
  for (const name of ['a.txt', 'b.txt', 'other.txt']) await put(name, LINES);
  await mkdir(at('src'));
  await run(
    bash('sed -i s/one/ONE/ a.txt b.txt'),
    write('new.txt', 'of the model\n}\n'),
    bash('mkdir dist; echo built > dist/app.js'),
    ...edit('other.txt', 'first'),
  );
  await put('a.txt', LINES.replace('one', 'mine'));
  await put('other.txt', `first\ntwo\nthree\nfour, mine\n`);
  expect(await undo()).toEqual({
    'a.txt': 'kept',
    'b.txt': 'identical',
    'new.txt': 'identical',
    dist: 'identical',
    'dist/app.js': 'identical',
    'other.txt': 'merged',
  });
  expect([await read('b.txt'), await read('new.txt')]).toEqual([LINES, undefined]);
});

test('what was edited beside what a command has removed, and another program has written again, is undone', async () => {
  const { at, put, run, undo, root } = await undoDesk();
  for (const folder of ['dist', 'src']) await mkdir(at(folder));
  for (const name of ['f.ts', 'g.ts']) await put(`src/${name}`, 'const foo = 1;\n');
  await put('server.log', 'started\n');
  await put('dist/app.js', 'built\n');
  const { 'dist/app.js': _, 'server.log': __, ...sources } = await treeOf(root);
  await run(bash('sed -i s/foo/bar/ src/f.ts'));
  await run(
    bash('rm -rf dist'),
    bash('rm server.log && sed -i s/foo/bar/ src/g.ts'),
    bash('echo new > src/new.ts'),
  );
  await mkdir(at('dist'));
  await put('dist/app.js', 'built by the user\n');
  await put('server.log', 'started again\n');
  const rebuilt = { 'dist/app.js': 'kept', 'server.log': 'kept' };
  expect(await undo()).toEqual({
    ...rebuilt,
    dist: 'identical',
    'src/g.ts': 'identical',
    'src/new.ts': 'identical',
  });
  expect(await undo()).toMatchObject({ 'src/f.ts': 'identical' });
  expect(await treeOf(root)).toMatchObject(sources);
});

test('what was edited beside an edited file that was never kept is undone', async () => {
  const { put, read, run, undo } = await undoDesk();
  await put('a.txt', LINES);
  await put('large.csv', LARGE);
  await run(bash('sed -i s/one/ONE/ a.txt; sed -i s/precious/plain/ large.csv'));
  expect(await undo()).toEqual({ 'a.txt': 'identical', 'large.csv': 'kept' });
  expect(await read('a.txt')).toBe(LINES);
});
