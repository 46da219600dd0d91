// What stays beside a file that does not become again what it was: what the user decides on it.
import { expect, test } from 'vitest';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk } from '../support/undo-desk.ts';

const LINES = 'one\ntwo\nthree\nfour\n';

test('what stays only beside a file goes when the user lets that one be restored', async () => {
  const { at, put, run, restore, root } = await undoDesk();
  await put('a.txt', LINES);
  const old = await treeOf(root);
  const before = await run(bash('mkdir old; gzip -c a.txt > old/a.gz; rm a.txt'));
  await put('a.txt', 'mine\n');
  const asked = { 'a.txt': 'kept', old: 'kept', 'old/a.gz': 'kept' };
  expect(await restore(before)).toEqual(asked);
  expect(await restore(before, new Map([[at('old/a.gz'), 'mine']]))).toEqual(asked);
  const choices = new Map([[at('a.txt'), 'restore']] as const);
  expect(await restore(before, choices)).toEqual({
    'a.txt': 'identical',
    old: 'identical',
    'old/a.gz': 'identical',
  });
  expect(await treeOf(root)).toEqual(old);
});

test('what may hold a file that was never kept stays, whatever is said of that one', async () => {
  const { at, put, run, restore } = await undoDesk();
  // More than is kept aside of a file in case that a command changes it.
  await put('large.csv', Buffer.alloc(5_500_000, 'precious line\n'));
  const before = await run(bash('gzip large.csv'));
  const choices = new Map([[at('large.csv'), 'restore']] as const);
  expect(await restore(before, choices)).toEqual({ 'large.csv': 'kept', 'large.csv.gz': 'kept' });
});

test('what the user keeps stays, also where nothing else does', async () => {
  const desk = await undoDesk();
  await desk.put('a.txt', LINES);
  const before = await desk.run(bash('cp a.txt copy.txt; sed -i s/one/ONE/ a.txt'));
  await desk.put('a.txt', 'mine\n');
  const choices = new Map([
    [desk.at('copy.txt'), 'mine'],
    [desk.at('a.txt'), 'restore'],
  ] as const);
  await desk.restore(before, choices);
  expect(await desk.read('copy.txt')).toBe(LINES);
  expect(await desk.read('a.txt')).toBe(LINES);
});

test('what the user keeps in a new folder stays in it', async () => {
  const { at, put, read, run, restore, session } = await undoDesk();
  await put('a.txt', LINES);
  const before = await run(bash('mkdir new; cp a.txt new/copy.txt; sed -i s/one/ONE/ a.txt'));
  await put('a.txt', 'mine\n');
  const choices = new Map([
    [at('new/copy.txt'), 'mine'],
    [at('a.txt'), 'restore'],
  ] as const);
  expect(await restore(before, choices)).toEqual({
    'a.txt': 'identical',
    new: 'kept',
    'new/copy.txt': 'kept',
  });
  expect(await read('new/copy.txt')).toBe(LINES);
  expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
    message: expect.stringMatching(
      /\nnew was left alone: something in it stays\.\nnew\/copy\.txt was left alone: you keep your version\.$/,
    ),
  });
});

test('where the user keeps what lies in the place of a file, what holds that file stays', async () => {
  const { at, put, read, run, restore } = await undoDesk();
  await put('a.txt', LINES);
  await put('b.txt', 'other\n');
  const before = await run(
    bash('mv b.txt c.txt; mkdir b.txt; cp a.txt b.txt/copy.txt; sed -i s/one/ONE/ a.txt'),
  );
  await put('a.txt', 'mine\n');
  const choices = new Map([
    [at('b.txt/copy.txt'), 'mine'],
    [at('a.txt'), 'restore'],
  ] as const);
  expect(await restore(before, choices)).toEqual({
    'a.txt': 'identical',
    'b.txt': 'kept',
    'b.txt/copy.txt': 'kept',
    'c.txt': 'kept',
  });
  expect([await read('a.txt'), await read('c.txt')]).toEqual([LINES, 'other\n']);
});
