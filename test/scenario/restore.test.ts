import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileHistory } from '../../extension/core/checkpoints/file-history.ts';
import { MAX_KEPT } from '../../extension/core/checkpoints/file-state.ts';
import { planRestore } from '../../extension/core/checkpoints/restore/plan.ts';
import { undoStackOf } from '../../extension/core/checkpoints/undo-stack.ts';
import type { FileTree } from '../../extension/core/ports/file-tree.ts';
import { WorkspaceError } from '../../extension/core/ports/workspace.ts';
import { nodeFileTree } from '../../extension/node/fs/node-file-tree.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { bash, undoDesk, write } from '../support/undo-desk.ts';

test('a run is taken back, in all its files, directories, modes and links, and done again', async () => {
  const { at, put, read, run, restore, redo, session } = await undoDesk();
  await put('a.txt', 'one\r\n');
  await chmod(at('a.txt'), 0o755);
  await mkdir(at('old/empty'), { recursive: true });
  await symlink('../a.txt', at('old/link'));
  const before = await run(write('a.txt', 'two'), write('new/deep/b.txt', 'b'), write('a.txt', 'three'), [
    'move',
    { source: 'old', destination: 'moved' },
  ]);
  expect(await restore(before)).toEqual({
    'a.txt': 'identical',
    moved: 'identical',
    'moved/empty': 'identical',
    'moved/link': 'identical',
    new: 'identical',
    'new/deep': 'identical',
    'new/deep/b.txt': 'identical',
    old: 'identical',
    'old/empty': 'identical',
    'old/link': 'identical',
  });
  expect(await read('a.txt')).toBe('one\r\n');
  expect((await lstat(at('a.txt'))).mode & 0o777).toBe(0o755);
  expect((await readdir(at(''))).sort()).toEqual(['a.txt', 'old']);
  expect((await readdir(at('old'))).sort()).toEqual(['empty', 'link']);
  expect(await readlink(at('old/link'))).toBe('../a.txt');
  const notice = session.events.findLast((event) => event.type === 'notice');
  expect(notice?.message).toMatch(/^4 files .*old\/link\.\n6 folders identical to checkpoint\.$/);
  expect(notice?.toModel).toMatch(/a\.txt.*Read them again/);
  await redo();
  expect(await read('a.txt')).toBe('three');
  expect(await read('new/deep/b.txt')).toBe('b');
  expect((await readdir(at(''))).sort()).toEqual(['a.txt', 'moved', 'new']);
});

test('edits that the user made since are kept, in their line ends and encoding', async () => {
  const { put, read, run, restore, steps } = await undoDesk();
  const lines = (...texts: readonly string[]) => `\uFEFF${texts.join('\r\n')}\r\n`;
  await put('a.txt', lines('one', 'two', 'three', 'four', 'five'));
  const before = await run([
    'edit',
    { path: 'a.txt', operations: [{ op: 'replace', startLine: 2, endLine: 2, content: ['TWO'] }] },
  ]);
  await put('a.txt', lines('one', 'TWO', 'three', 'four', 'mine', 'five'));
  expect(await steps(before)).toEqual({ 'a.txt': 'merge' });
  expect(await restore(before)).toEqual({ 'a.txt': 'merged' });
  expect(await read('a.txt')).toBe(lines('one', 'two', 'three', 'four', 'mine', 'five'));
});

test('edits that the user made between two runs are kept when both are taken back', async () => {
  const { put, read, run, restore } = await undoDesk();
  await put('a.txt', '1\n2\n3\n4\n5\n');
  const before = await run(
    ['bash', { command: 'true' }],
    ['edit', { path: 'a.txt', operations: [{ op: 'replace', startLine: 1, endLine: 1, content: ['one'] }] }],
  );
  await put('a.txt', 'one\n2\nmine\n4\n5\n');
  await run(
    ['read', { path: 'a.txt' }],
    ['edit', { path: 'a.txt', operations: [{ op: 'replace', startLine: 5, endLine: 5, content: ['five'] }] }],
  );
  expect(await restore(before)).toEqual({ 'a.txt': 'merged' });
  expect(await read('a.txt')).toBe('1\n2\nmine\n4\n5\n');
});

test('what cannot be joined is left alone unless the user says otherwise', async () => {
  const { put, read, run, restore, steps } = await undoDesk();
  await put('a.txt', 'one\n');
  await put('binary', 'a\0b');
  const before = await run(write('a.txt', 'two\n'), write('new.txt', 'new'), write('binary', 'text'));
  await put('a.txt', 'mine\n');
  await put('new.txt', 'mine too');
  await put('binary', 'c\0d');
  expect(await steps(before)).toEqual({ 'a.txt': 'conflict', 'new.txt': 'conflict', binary: 'conflict' });
  expect(await restore(before)).toEqual({ 'a.txt': 'kept', 'new.txt': 'kept', binary: 'kept' });
  expect([await read('a.txt'), await read('new.txt'), await read('binary')]).toEqual([
    'mine\n',
    'mine too',
    'c\0d',
  ]);
});

test('nothing is written through a link that the user has put above a file: it is a conflict that names where it leads', async () => {
  const { at, put, read, run, restore, session } = await undoDesk();
  await mkdir(at('d'));
  await put('d/f', '1\n2\n3\n4\n5\n');
  const before = await run([
    'edit',
    { path: 'd/f', operations: [{ op: 'replace', startLine: 5, endLine: 5, content: ['five'] }] },
  ]);
  await rm(at('d'), { recursive: true });
  await mkdir(at('../outside'));
  await put('../outside/f', 'mine\n2\n3\n4\nfive\n');
  await symlink('../outside', at('d'));
  const [planned] = await session.planRestore(before);
  expect(planned?.step).toEqual({
    kind: 'conflict',
    why: `a symbolic link above it now leads to ${at('../outside/f')}`,
  });
  expect(await restore(before)).toEqual({ 'd/f': 'kept' });
  const decided = await restore(before, new Map([[at('d/f'), 'restore']]));
  expect(decided).toEqual({ 'd/f': 'failed' });
  expect(await read('../outside/f')).toBe('mine\n2\n3\n4\nfive\n');
  expect(await readlink(at('d'))).toBe('../outside');
});

test.each([new Map(), new Map([['d/new', 'restore'] as const])])(
  'a new file that a link of the user leads to is not said to have gone, whatever they have chosen',
  async (choices) => {
    const { at, put, read, run, restore, session } = await undoDesk();
    await mkdir(at('d'));
    await put('d/old', 'mine');
    const before = await run(write('d/new', 'agent'));
    await rename(at('d'), at('moved'));
    await symlink('moved', at('d'));
    const why = `a symbolic link above it now leads to ${at('moved/new')}`;
    const [planned] = await session.planRestore(before);
    expect(planned?.step).toEqual({ kind: 'conflict', why });
    const chosen = new Map([...choices].map(([name, choice]) => [at(name), choice]));
    expect(await restore(before, chosen)).toEqual({ 'd/new': 'kept' });
    const restored = session.events.findLast((event) => event.type === 'restored');
    expect(restored?.files[0]?.reason).toBe(why);
    expect(await read('d/new')).toBe('agent');
  },
);

test('below a link that stands there as it stood then, all is as it was', async () => {
  const { at, run, restore } = await undoDesk();
  await mkdir(at('elsewhere'));
  await symlink('elsewhere', at('d'));
  const before = await run(['bash', { command: 'rm d; mkdir d; echo x > d/x' }]);
  await run(['bash', { command: 'rm -r d; ln -s elsewhere d' }]);
  expect(await restore(before)).toEqual({ d: 'identical', 'd/x': 'identical' });
});

test('what was there neither then nor now is not counted', async () => {
  const { put, run, undo, session } = await undoDesk();
  await put('a.txt', 'a');
  await run(bash('mkdir d; echo 1 > d/1; echo x > x'), bash('mv d e; rm x; echo b > a.txt'));
  const none = 'identical';
  expect(await undo()).toEqual({ 'a.txt': none, d: none, 'd/1': none, e: none, 'e/1': none, x: none });
  const notice = session.events.findLast(({ type }) => type === 'notice');
  expect(notice).toMatchObject({
    message: '2 files identical to checkpoint: a.txt, e/1.\n1 folder identical to checkpoint: e.',
    toModel: expect.stringContaining('session: a.txt, e/, e/1.'),
  });
});

test('a pipe in the place of a file is said to be one, and stays until the user decides', async () => {
  const { at, put, read, run, restore, session } = await undoDesk();
  await put('a.txt', 'one');
  const before = await run(['bash', { command: 'rm a.txt; mkfifo a.txt' }]);
  expect(await restore(before)).toEqual({ 'a.txt': 'kept' });
  const restored = session.events.findLast((event) => event.type === 'restored');
  expect(restored?.files[0]?.reason).toBe('it is now a pipe, a socket or a device');
  expect(await restore(before, new Map([[at('a.txt'), 'restore']]))).toEqual({ 'a.txt': 'identical' });
  expect(await read('a.txt')).toBe('one');
});

test('the user’s choice is what happens, and can be taken back too', async () => {
  const { at, put, read, run, restore, redo, session } = await undoDesk();
  await put('a.txt', 'one\n');
  const before = await run(write('a.txt', 'two\n'), write('new.txt', 'new'));
  await put('a.txt', 'mine\n');
  await put('new.txt', 'mine too');
  const choices = new Map([
    [at('a.txt'), 'restore'],
    [at('new.txt'), 'restore'],
  ] as const);
  expect(await restore(before, choices)).toEqual({ 'a.txt': 'identical', 'new.txt': 'identical' });
  expect([await read('a.txt'), await read('new.txt')]).toEqual(['one\n', undefined]);
  await redo();
  expect([await read('a.txt'), await read('new.txt')]).toEqual(['mine\n', 'mine too']);
  expect(undoStackOf(session.events).redo).toBeUndefined();
});

test('what the user has put there and is too large to be kept is not given up, also where they choose so', async () => {
  const { at, put, read, run, restore, session } = await undoDesk();
  await put('a.txt', 'one');
  const before = await run(write('a.txt', 'two'), write('new.txt', 'new'));
  await truncate(at('new.txt'), MAX_KEPT + 1);
  expect(await restore(before, new Map([[at('new.txt'), 'restore']]))).toEqual({
    'a.txt': 'identical',
    'new.txt': 'failed',
  });
  const restored = session.events.findLast((event) => event.type === 'restored');
  expect(restored?.files[1]?.reason).toBe('it is too large to store');
  expect([await read('a.txt'), (await stat(at('new.txt'))).size]).toEqual(['one', MAX_KEPT + 1]);
});

test('a file with other names is what it was, and it is said that those may not be', async () => {
  const { at, put, read, run, restore, session } = await undoDesk();
  await put('a.txt', 'one\n');
  await link(at('a.txt'), at('../outside.txt'));
  const before = await run(['bash', { command: 'echo agent >> a.txt' }]);
  expect(await session.planRestore(before)).toMatchObject([{ step: { kind: 'restore' }, isLinked: true }]);
  expect(await restore(before)).toEqual({ 'a.txt': 'identical' });
  expect([await read('a.txt'), await read('../outside.txt')]).toEqual(['one\n', 'one\nagent\n']);
  expect(session.events.findLast((event) => event.type === 'notice')?.message).toBe(
    '1 file identical to checkpoint: a.txt.\na.txt: restored, but other hard links to it may keep the old contents.',
  );
});

test('what the user has deleted comes back only where they want it', async () => {
  const { at, put, read, run, restore } = await undoDesk();
  await put('a.txt', 'one');
  const before = await run(write('a.txt', 'two'));
  await rm(at('a.txt'));
  expect(await restore(before)).toEqual({ 'a.txt': 'kept' });
  expect(await read('a.txt')).toBeUndefined();
  expect(await restore(before, new Map([[at('a.txt'), 'restore']]))).toEqual({ 'a.txt': 'identical' });
  expect(await read('a.txt')).toBe('one');
});

test('bytes that are no longer kept, or damaged, are said to be so, and the rest is restored', async () => {
  const { root, put, read, run, session, openLog, store } = await undoDesk();
  await put('a.txt', 'one');
  const before = await run(write('a.txt', 'two'), write('b.txt', 'b'));
  const blobs = join(root, '../home/sessions', session.id, 'blobs');
  for (const name of await readdir(blobs)) await writeFile(join(blobs, name), 'damaged');
  await session.close();
  const later = await openLog(await store.open(session.id));
  const plan = await later.planRestore(before);
  expect(plan.map(({ step }) => step.kind)).toEqual(['unkept', 'restore']);
  const [kept] = await later.restore({ to: before, plan, choices: new Map() });
  expect(kept).toMatchObject({ outcome: 'kept', reason: 'its contents from that point are not stored' });
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['two', undefined]);
  await later.close();
});

test('one run after the other is undone, the newest first, and done again in turn; a new run ends that', async () => {
  const { put, read, run, undo, redo, session } = await undoDesk();
  await put('a.txt', '0');
  for (const text of ['1', '2', '3']) await run(write('a.txt', text));
  for (const text of ['2', '1', '0']) {
    await undo();
    expect(await read('a.txt')).toBe(text);
  }
  expect(undoStackOf(session.events).undoTo).toBeUndefined();
  for (const text of ['1', '2', '3']) {
    await redo();
    expect(await read('a.txt')).toBe(text);
  }
  expect(undoStackOf(session.events).redo).toBeUndefined();
  await undo();
  await undo();
  await run(['read', { path: 'a.txt' }], write('a.txt', '4'));
  expect(undoStackOf(session.events).redo).toBeUndefined();
  for (const text of ['1', '0']) {
    await undo();
    expect(await read('a.txt')).toBe(text);
  }
});

test('what the user had written into a new file is kept, also where the file was moved over another one since', async () => {
  const { put, read, run, restore, steps } = await undoDesk();
  await put('a.txt', 'one');
  const before = await run(write('b.txt', 'new\n'));
  await put('b.txt', 'mine\nnew\n');
  await run(['move', { source: 'b.txt', destination: 'a.txt' }]);
  expect(await steps(before)).toEqual({ 'a.txt': 'restore', 'b.txt': 'merge' });
  await restore(before);
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['one', 'mine\nnew\n']);
});

test('of a new file that the user has edited between two runs it is said that it stays, or it is left alone', async () => {
  const { put, read, run, restore, session } = await undoDesk();
  const before = await run(write('n.txt', '1\n2\n3\n4\n5\n'));
  await put('n.txt', '1\n2\n3\n4\n5\nmine\n');
  await run(bash('sed -i "s/1/one/; s/3/three/" n.txt'));
  const edited = await read('n.txt');
  const [planned] = await session.planRestore(before);
  const why = 'the file was new and stays as you edited it';
  expect(planned?.step).toMatchObject({ kind: 'merge', why });
  expect(await restore(before)).toEqual({ 'n.txt': 'merged' });
  expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
    message: expect.stringContaining(`n.txt: restored, keeps your edits, but ${why}.`),
  });
  expect(await read('n.txt')).toBe('1\n2\n3\n4\n5\nmine\n');
  await put('n.txt', `${edited?.replace('one', '1').replace('three', '3')}mine too\n`);
  expect(await restore(before)).toEqual({ 'n.txt': 'kept' });
});

test('what an imported file says of any path is never written, and what was done since may be taken back', async () => {
  const { root, session } = await undoDesk();
  const place = { timestamp: 0, session: session.id, prev: '' };
  const before = { kind: 'link', target: 'x' } as const;
  const changes = [{ path: join(root, 'a.txt'), before, after: { kind: 'absent' } }];
  const told = { type: 'files_changed', id: 'c', by: 'tool', changes, seq: 2, ...place } as SessionEvent;
  const from = { session: 'other', head: '' };
  const imported = { type: 'imported', from, cwd: root, seq: 3, ...place } as SessionEvent;
  expect(FileHistory.of([told, imported]).paths).toEqual([]);
  expect(FileHistory.of([imported, told]).paths).toEqual([join(root, 'a.txt')]);
});

test('what is changed between the plan and its confirmation is not overwritten', async () => {
  const { put, read, run, session } = await undoDesk();
  const before = await run(write('a.txt', 'one'));
  const plan = await session.planRestore(before);
  await put('a.txt', 'typed meanwhile');
  const [file] = await session.restore({ to: before, plan, choices: new Map() });
  expect(file).toMatchObject({ outcome: 'failed', reason: 'it has just changed' });
  expect(await read('a.txt')).toBe('typed meanwhile');
});

test.each([0, -1, 9999, Number.NaN])('there is no event %d to go back to', async (to) => {
  const { run, session } = await undoDesk();
  await run(write('a.txt', 'one'));
  await expect(session.planRestore(to)).rejects.toThrow(`This session has no event ${to}`);
});

test('a session that is closed in the middle of a restore has its end in the log', async () => {
  const { put, read, run, session, store } = await undoDesk();
  await put('a', 'one');
  const to = await run(write('a', 'two'));
  const plan = await session.planRestore(to);
  const restored = session.restore({ to, plan, choices: new Map() });
  await session.close();
  expect((await store.read(session.id)).slice(-2).map(({ type }) => type)).toEqual(['restored', 'notice']);
  expect(await read('a')).toBe('one');
  await restored;
});

test('what cannot be read does not keep the rest from being restored', async () => {
  const { at, put, read, run, session, store } = await undoDesk();
  await put('a.txt', 'one');
  await put('b.txt', 'one');
  const to = await run(['bash', { command: 'echo two > a.txt; echo two > b.txt' }]);
  const files: FileTree = {
    ...nodeFileTree,
    read: async (path, most) => {
      if (path === at('a.txt')) throw new WorkspaceError('permission-denied', path, 'permission denied');
      return nodeFileTree.read(path, most);
    },
  };
  const blobs = store.blobs(session.id);
  const plan = await planRestore(FileHistory.of(session.events), to, { files, blobs });
  expect(plan.map(({ path, step }) => [path, step.kind])).toEqual([
    [at('a.txt'), 'conflict'],
    [at('b.txt'), 'restore'],
  ]);
  expect(await read('b.txt')).toBe('two\n');
});

test('a move of more than is kept is done, is said not to be undone, and the rest is taken back', async () => {
  const { at, put, run, restore, session } = await undoDesk();
  await mkdir(at('from'));
  await Promise.all(Array.from({ length: 2_001 }, (_, index) => put(`from/f${index}`, '')));
  const before = await run(['move', { source: 'from', destination: 'to' }], write('b.txt', 'b'));
  expect(await readdir(at('to'))).toHaveLength(2_001);
  expect(await restore(before)).toEqual({ 'b.txt': 'identical' });
  expect(session.events.findLast((event) => event.type === 'notice')?.message).toMatch(
    /1 file identical to checkpoint: b\.txt\.\nSome later changes are unknown\. Changes to .*from as a whole/,
  );
  expect(await readdir(at('to'))).toHaveLength(2_001);
});
