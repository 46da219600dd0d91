// A folder goes only with nothing in it but what is taken away too.
import { mkdir, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk, write } from '../support/undo-desk.ts';

test('a directory that the user has made where a file was, with files of theirs, stays', async () => {
  const { at, put, read, run, restore, steps } = await undoDesk();
  await put('d', 'file');
  const before = await run(['bash', { command: 'rm d; mkdir d' }], write('d/x', 'x'));
  await put('d/mine', 'mine');
  expect(await steps(before)).toEqual({ d: 'occupied', 'd/x': 'restore' });
  expect(await restore(before)).toEqual({ d: 'kept', 'd/x': 'identical' });
  expect(await read('d/mine')).toBe('mine');
  await rm(at('d/mine'));
  expect(await restore(before)).toEqual({ d: 'identical', 'd/x': 'identical' });
  expect(await read('d')).toBe('file');
});

test('what the user had made of a file below one that is a file again has no place there, and holds nothing up', async () => {
  const { put, run, restore, root } = await undoDesk();
  await put('a.txt', 'one\ntwo\n');
  const old = await treeOf(root);
  const before = await run(bash('mv a.txt t; mkdir a.txt; mv t a.txt/in; sed -i s/two/three/ a.txt/in'));
  await put('a.txt/in', 'mine\n');
  await run(bash('rm a.txt/in; echo made > b.txt'));
  const plan = { 'a.txt': 'identical', 'a.txt/in': 'identical', 'b.txt': 'identical' };
  expect(await restore(before)).toEqual(plan);
  expect(await treeOf(root)).toEqual(old);
});

test('a directory that holds something of the user stays, with that in it', async () => {
  const { put, read, run, restore, steps } = await undoDesk();
  const before = await run(write('new/deep/a.txt', 'a'));
  await put('new/mine.txt', 'mine');
  expect(await steps(before)).toEqual({
    new: 'occupied',
    'new/deep': 'restore',
    'new/deep/a.txt': 'restore',
  });
  expect(await restore(before)).toEqual({
    new: 'kept',
    'new/deep': 'identical',
    'new/deep/a.txt': 'identical',
  });
  expect(await read('new/mine.txt')).toBe('mine');
});

test('a directory that the agent has moved stays with the file that the user has edited in it since, and says why', async () => {
  const { at, put, read, run, restore, session } = await undoDesk();
  await mkdir(at('src'));
  await put('src/a.txt', 'one');
  const before = await run(['bash', { command: 'mv src lib' }]);
  await put('lib/a.txt', 'mine');
  expect(await restore(before)).toEqual({
    lib: 'kept',
    'lib/a.txt': 'kept',
    src: 'identical',
    'src/a.txt': 'identical',
  });
  const restored = session.events.findLast((event) => event.type === 'restored');
  expect(restored?.files.find(({ path }) => path === at('lib'))?.reason).toBe(
    'it contains something that stays',
  );
  expect([await read('lib/a.txt'), await read('src/a.txt')]).toEqual(['mine', 'one']);
});
