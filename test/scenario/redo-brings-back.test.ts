// What a restore removes is kept: Redo brings it back byte for byte, whatever else could not be put back.
import { chmod, mkdir, readFile, stat, symlink, truncate } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { MAX_KEPT } from '../../extension/core/checkpoints/file-state.ts';
import type { FileTree } from '../../extension/core/ports/file-tree.ts';
import { WorkspaceError } from '../../extension/core/ports/workspace.ts';
import { nodeFileTree } from '../../extension/node/fs/node-file-tree.ts';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk, type Wanted, write } from '../support/undo-desk.ts';

const LINES = 'one\ntwo\nthree\nfour\n';
/** More than a scan keeps of a file: only the restore stores these bytes. */
const LARGE = Buffer.alloc(5_500_000, 'precious line\n');

interface Case {
  readonly what: string;
  readonly calls: readonly Wanted[];
  /** What the user puts at `a.txt` afterwards. */
  readonly mine?: string;
  /** A file that Undo removes or overwrites. */
  readonly goes: string;
}

const cases: readonly Case[] = [
  {
    what: 'the archive of a file that the user has written again',
    calls: [bash('gzip a.txt')],
    mine: 'mine\n',
    goes: 'a.txt.gz',
  },
  {
    what: 'the copy of a file that was never kept',
    calls: [bash('cp large.bin copy; rm large.bin')],
    goes: 'copy',
  },
  {
    what: 'a file over which that was copied',
    calls: [bash('cat large.bin > b.txt; rm large.bin')],
    goes: 'b.txt',
  },
  {
    what: 'a large file that a tool has edited since',
    calls: [
      bash('{ echo title; cat large.bin; } > all.txt; rm large.bin'),
      ['read', { path: 'all.txt', start_line: 1, end_line: 2 }],
      [
        'edit',
        { path: 'all.txt', operations: [{ op: 'replace', startLine: 1, endLine: 1, content: ['TITLE'] }] },
      ],
    ],
    goes: 'all.txt',
  },
  {
    what: 'a large binary file from outside of the workspace',
    calls: [bash('mv ../outside.bin here.bin')],
    goes: 'here.bin',
  },
  {
    what: 'a new text with lines of a file that the user has edited',
    calls: [write('part.txt', 'three\nfour\n'), ['read', { path: 'a.txt' }], write('a.txt', 'one\nagent\n')],
    mine: 'one\nmine\n',
    goes: 'part.txt',
  },
];

test.each(cases)('$what goes with Undo and comes back with Redo', async ({ calls, mine, goes }) => {
  const { at, put, run, undo, redo } = await undoDesk();
  await put('a.txt', LINES);
  await put('b.txt', 'other\n');
  await put('large.bin', LARGE);
  await put('../outside.bin', Buffer.concat([LARGE, Buffer.from([0, 255, 0])]));
  const found = await readFile(at(goes)).catch(() => undefined);
  await run(...calls);
  if (mine !== undefined) await put('a.txt', mine);
  const made = await readFile(at(goes));
  expect(await undo()).toMatchObject({ [goes]: 'identical' });
  expect(await readFile(at(goes)).catch(() => undefined)).toEqual(found);
  await redo();
  expect((await readFile(at(goes))).equals(made)).toBe(true);
});

test('links, modes and empty folders that a command has moved here come back, too', async () => {
  const { at, run, undo, redo, root } = await undoDesk();
  await mkdir(at('../box/empty'), { recursive: true });
  await symlink('/somewhere', at('../box/link'));
  await chmod(at('../box/empty'), 0o700);
  await run(bash('mv ../box .'));
  const made = await treeOf(root);
  expect(new Set(Object.values(await undo()))).toEqual(new Set(['identical']));
  expect(await treeOf(root)).toEqual({});
  await redo();
  expect(await treeOf(root)).toEqual(made);
});

test('the user’s version that a restore overwrites on request comes back', async () => {
  const { at, put, run, restore, redo } = await undoDesk();
  await put('data.bin', '\0found');
  const before = await run(bash("printf '\\000agent' > data.bin"));
  await put('data.bin', LARGE);
  const choices = new Map([[at('data.bin'), 'restore']] as const);
  expect(await restore(before, choices)).toEqual({ 'data.bin': 'identical' });
  await redo();
  expect((await readFile(at('data.bin'))).equals(LARGE)).toBe(true);
});

test('where one of two swapped files cannot be written, Redo brings back what the other one held', async () => {
  let full: string | undefined;
  const files: FileTree = {
    ...nodeFileTree,
    write: async (path, ...rest) => {
      if (path === full) throw new WorkspaceError('failed', path, 'the disk is full');
      return nodeFileTree.write(path, ...rest);
    },
  };
  const { at, put, run, undo, redo, root } = await undoDesk({ files });
  await put('a.txt', 'a');
  await put('b.txt', 'b');
  await run(bash('mv a.txt t; mv b.txt a.txt; mv t b.txt'));
  const made = await treeOf(root);
  full = at('a.txt');
  expect(await undo()).toEqual({ 'a.txt': 'failed', 'b.txt': 'identical' });
  full = undefined;
  await redo();
  expect(await treeOf(root)).toEqual(made);
});

test('what is too large to be kept is not removed, and that is said before and afterwards', async () => {
  const { at, run, steps, undo, session } = await undoDesk();
  const before = await run(bash('printf x > large.bin; printf y > small.txt'));
  await truncate(at('large.bin'), MAX_KEPT + 1);
  expect(await steps(before)).toMatchObject({ 'large.bin': 'conflict', 'small.txt': 'restore' });
  expect(await undo()).toEqual({ 'large.bin': 'kept', 'small.txt': 'identical' });
  expect((await stat(at('large.bin'))).size).toBe(MAX_KEPT + 1);
  expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
    message: expect.stringContaining('large.bin was skipped: it is too large to store.'),
  });
});
