// Where a file does not become again what it was, what may hold what it was stays beside it until the user decides; and
// nothing else does.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileTree } from '../../extension/core/ports/file-tree.ts';
import { nodeFileTree } from '../../extension/node/fs/node-file-tree.ts';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk, type Wanted, write } from '../support/undo-desk.ts';

const LINES = 'one\ntwo\nthree\nfour\n';
/** More than is kept aside of a file in case that a command changes it. */
const LARGE = Buffer.alloc(5_500_000, 'precious line\n');

const move = (source: string, destination: string): Wanted => ['move', { source, destination }];
/** Its first line. */
const edit = (path: string, content: string): readonly Wanted[] => [
  ['read', { path, start_line: 1, end_line: 5 }],
  ['edit', { path, operations: [{ op: 'replace', startLine: 1, endLine: 1, content: [content] }] }],
];

interface Case {
  readonly what: string;
  readonly calls: readonly Wanted[];
  readonly mine?: readonly [string, string];
  readonly large?: string;
  /** Path that stays. */
  readonly stays: string;
  /** Whose text it may hold. */
  readonly of: string;
}

const held: readonly Case[] = [
  {
    what: 'a file that was moved and edited, where the user has made another at its place',
    calls: [move('a.txt', 'b.txt'), ...edit('b.txt', 'ONE')],
    mine: ['a.txt', 'mine\n'],
    stays: 'b.txt',
    of: 'a.txt',
  },
  {
    what: 'what a command has packed, where the user has made another at its place',
    calls: [bash('gzip a.txt')],
    mine: ['a.txt', 'mine\n'],
    stays: 'a.txt.gz',
    of: 'a.txt',
  },
  {
    what: 'what was packed by one command, moved by a call, and taken away by another command',
    calls: [bash('gzip -k a.txt'), move('a.txt.gz', 'c.gz'), bash('rm a.txt')],
    mine: ['a.txt', 'mine\n'],
    stays: 'c.gz',
    of: 'a.txt',
  },
  {
    what: 'what was converted into a folder in its place, to which the user has added a file',
    calls: [bash('mv a.txt t; mkdir a.txt; tr a-z A-Z < t > a.txt/default; rm t')],
    mine: ['a.txt/mine', 'mine\n'],
    stays: 'a.txt/default',
    of: 'a.txt',
  },
  {
    what: 'a new file with lines out of one that the user has edited in the same place',
    calls: [
      write('part.txt', 'three\nfour\n'),
      ['read', { path: 'a.txt' }],
      write('a.txt', 'one\ntwo\nimport\n'),
    ],
    mine: ['a.txt', 'one\ntwo\nimport, mine\n'],
    stays: 'part.txt',
    of: 'a.txt',
  },
  {
    what: 'a file to which such lines were moved',
    calls: [
      ...edit('other.txt', 'three'),
      ['read', { path: 'a.txt' }],
      write('a.txt', 'one\ntwo\nimport\nfour\n'),
    ],
    mine: ['a.txt', 'one\ntwo\nimport, mine\nfour\n'],
    stays: 'other.txt',
    of: 'a.txt',
  },
  {
    what: 'what a command has packed beside the file that it then changed',
    calls: [bash('gzip -k a.txt; sed -i s/one/ONE/ a.txt')],
    mine: ['a.txt', LINES.replace('one', 'mine')],
    stays: 'a.txt.gz',
    of: 'a.txt',
  },
  {
    what: 'a file over which a command has packed what was never kept',
    calls: [bash('gzip -c large.csv > other.txt && rm large.csv')],
    stays: 'other.txt',
    of: 'large.csv',
  },
  {
    what: 'a file over which a command has packed what was never kept and it has emptied,',
    calls: [bash('gzip -c large.csv > other.txt; : > large.csv')],
    stays: 'other.txt',
    of: 'large.csv',
  },
  {
    what: 'such a file beside another one that the command has removed',
    calls: [bash('rm a.txt; gzip -c large.csv > other.txt; : > large.csv')],
    mine: ['a.txt', 'mine\n'],
    stays: 'other.txt',
    of: 'large.csv',
  },
  {
    what: 'such a file, moved over another one,',
    calls: [bash('rm a.txt; gzip -c large.csv > mid.gz; : > large.csv'), bash('mv mid.gz other.txt')],
    mine: ['a.txt', 'mine\n'],
    stays: 'other.txt',
    of: 'large.csv',
  },
  {
    what: 'a text with a line of what was never kept and the command has emptied,',
    calls: [bash('tail -n 1 large.csv >> other.txt; : > large.csv')],
    stays: 'other.txt',
    of: 'large.csv',
  },
  {
    what: 'a file over which a command has packed what was never kept and it has cut, and that was moved,',
    calls: [bash('gzip -c large.csv > other.txt; echo started > large.csv'), move('other.txt', 'moved.gz')],
    stays: 'moved.gz',
    of: 'large.csv',
  },
  {
    what: 'a file to which two commands have moved what was never kept',
    calls: [bash('cat large.csv >> other.txt'), bash('rm large.csv')],
    stays: 'other.txt',
    of: 'large.csv',
  },
  {
    what: 'what a command has made of what was never kept, and a tool has edited',
    calls: [bash('{ echo title; cat large.csv; } > all.txt; rm large.csv'), ...edit('all.txt', 'TITLE')],
    stays: 'all.txt',
    of: 'large.csv',
  },
];

test.each(held)('$what stays until the user decides', async ({ calls, mine, stays, of }) => {
  const { at, put, read, run, undo, restore, session } = await undoDesk();
  await put('a.txt', LINES);
  await put('other.txt', 'other\n');
  await put('large.csv', LARGE);
  const before = await run(...calls);
  if (mine) await put(...mine);
  const copy = await read(stays);
  expect(await undo()).toMatchObject({ [of]: 'kept', [stays]: 'kept' });
  expect(await read(stays)).toBe(copy);
  const told = session.events.findLast(({ type }) => type === 'notice');
  const isKept = of !== 'large.csv';
  expect(told).toMatchObject({
    message: expect.stringContaining(
      `${stays} was left alone: it may hold what ${at(of)} was, which ${isKept ? 'is not' : 'cannot be'} put back`,
    ),
  });
  expect(await restore(before, new Map([[at(stays), 'restore']]))).toMatchObject({ [stays]: 'identical' });
});

test('what nothing of it was put into goes, or is again what it was', async () => {
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

test.each([
  ['has removed', 'rm -rf dist && echo new > new.ts'],
  [
    'was to make again',
    'rm -r dist; mkdir dist; printf new > dist/app.js; cp dist/app.js new.ts; echo // >> new.ts',
  ],
  ['has changed', 'printf "\\0new" > dist/app.wasm; rm dist/app.js; echo new > new.ts'],
])(
  'a new text goes beside what the same command %s and another program has written since',
  async (_, command) => {
    const { at, put, run, undo } = await undoDesk();
    await mkdir(at('dist'));
    await put('dist/app.js', 'const built = 1;\n');
    await put('dist/app.wasm', '\0built');
    await run(bash(command));
    await mkdir(at('dist'), { recursive: true });
    await put('dist/app.js', 'const built = 2;\n');
    await put('dist/app.wasm', '\0built again');
    expect(await undo()).toMatchObject({ 'dist/app.js': 'kept', 'new.ts': 'identical' });
  },
);

test('what was edited beside an edited file that was never kept is undone', async () => {
  const { put, read, run, undo } = await undoDesk();
  await put('a.txt', LINES);
  await put('large.csv', LARGE);
  await run(bash('sed -i s/one/ONE/ a.txt; sed -i s/precious/plain/ large.csv'));
  expect(await undo()).toEqual({ 'a.txt': 'identical', 'large.csv': 'kept' });
  expect(await read('a.txt')).toBe(LINES);
});

test('what was installed goes also beside a lock file that the user has edited in the same place', async () => {
  const { put, run, undo, root } = await undoDesk();
  await put('package-lock.json', LINES);
  await run(
    bash(
      'sed -i s/one/1/ package-lock.json; mkdir -p node_modules/x; gzip -c package-lock.json > node_modules/x/x.node',
    ),
  );
  await put('package-lock.json', LINES.replace('one', 'mine'));
  expect(await undo()).toMatchObject({ 'package-lock.json': 'kept', node_modules: 'identical' });
  expect(Object.keys(await treeOf(root))).toEqual(['package-lock.json']);
});

test('where what is kept of the file is damaged, a new text stays, too', async () => {
  const { put, run, steps, root, session, openLog, store } = await undoDesk();
  await put('a.txt', LINES);
  const before = await run(bash('tr a-z A-Z < a.txt > b.txt; rm a.txt'));
  await put('a.txt', 'mine\n');
  expect(await steps(before)).toEqual({ 'a.txt': 'conflict', 'b.txt': 'restore' });
  const blobs = join(root, '../home/sessions', session.id, 'blobs');
  for (const name of await readdir(blobs)) await writeFile(join(blobs, name), 'damaged');
  await session.close();
  const later = await openLog(await store.open(session.id));
  const plan = await later.planRestore(before);
  expect(plan.map(({ step }) => step.kind)).toEqual(['conflict', 'conflict']);
  await later.close();
});

test('lines that any file may have say nothing of where a text has come from, unless it has hardly others', async () => {
  const { put, run, undo } = await undoDesk();
  const branch = 'if (ready) {\n  go();\n} else {\n  wait();\n}\n';
  await put('a.ts', branch);
  await put('old.ts', 'const other = 1;\n');
  await run(
    ['read', { path: 'a.ts' }],
    write('a.ts', 'if (ready) {\n  go();\n}\n'),
    write(
      'new.ts',
      'try {\n  if (open) {\n    close();\n  } else {\n    leave();\n  }\n} finally {\n  end();\n}\n',
    ),
    write('part.ts', '} else {\n'),
    ...edit('old.ts', 'const other = 1; } else {'),
  );
  await put('a.ts', 'if (ready) {\n  go();\n  mine();\n}\n');
  expect(await undo()).toEqual({
    'a.ts': 'kept',
    'new.ts': 'identical',
    'old.ts': 'identical',
    'part.ts': 'kept',
  });
});

test('one line of some length is enough', async () => {
  const { put, run, undo } = await undoDesk();
  const line = 'export const answerToEverything = 42;\n';
  await put('a.ts', `// answers\n${line}`);
  await run(
    ['read', { path: 'a.ts' }],
    write('a.ts', '// answers\n'),
    write('b.ts', `// moved\n${line}// from\n// a\n`),
  );
  await put('a.ts', '// answers, and mine\n');
  expect(await undo()).toEqual({ 'a.ts': 'kept', 'b.ts': 'kept' });
});

test('a very large text is not cut into lines: what else the run has written goes, unless it is a part of that', async () => {
  const { put, run, undo } = await undoDesk();
  const rows = Array.from({ length: 150_000 }, (_, row) => `row ${row} of a very large file`).join('\n');
  await put('data.csv', rows);
  await run(
    move('data.csv', 'moved.csv'),
    ...edit('moved.csv', 'head'),
    write('new.ts', 'row 1 of a very large file\n'),
  );
  await put('data.csv', 'mine\n');
  expect(await undo()).toEqual({ 'data.csv': 'kept', 'moved.csv': 'kept', 'new.ts': 'identical' });
});

test('where files were renumbered and one was changed since, each that stays is read once or twice', async () => {
  let reads = 0;
  const files: FileTree = {
    ...nodeFileTree,
    read: (...given) => {
      reads += 1;
      return nodeFileTree.read(...given);
    },
  };
  const { put, run, steps } = await undoDesk({ files });
  for (let index = 10; index < 40; index++) await put(`f${index}.md`, `# Chapter ${index}\n`);
  const before = await run(
    bash('for i in $(seq 39 -1 10); do mv f$i.md f$((i+1)).md; done; echo new > f10.md'),
  );
  await put('f15.md', 'mine\n');
  reads = 0;
  const planned = Object.entries(await steps(before));
  expect(planned.filter(([, step]) => step === 'restore').map(([path]) => path)).toEqual(
    [10, 11, 12, 13, 14].map((index) => `f${index}.md`),
  );
  expect(planned.filter(([, step]) => step === 'conflict')).toHaveLength(26);
  expect(reads).toBeLessThan(2 * planned.length);
});

test('what commands have made is no reason to ask where a tool has taken the file away', async () => {
  const { put, run, undo } = await undoDesk();
  await put('a.txt', LINES);
  await run(move('a.txt', 'b.txt'), bash('echo built > app.js'));
  await put('a.txt', 'mine\n');
  expect(await undo()).toEqual({ 'a.txt': 'kept', 'app.js': 'identical', 'b.txt': 'kept' });
});
