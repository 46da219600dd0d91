// What the user saves while a restore runs, between two of its files, is theirs.
import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { watchFiles } from '../support/files.ts';
import { undoDesk, type Wanted, write } from '../support/undo-desk.ts';

type Desk = Awaited<ReturnType<typeof undoDesk>>;

/** Takes back all behind `to`; `act` happens when `a.txt` has just become what it was. */
async function restoreWhile({ root, at, restore }: Desk, to: number, act: () => void) {
  const stop = watchFiles(root, async ({ name, args }, perform) => {
    const result = await perform();
    if (name === 'rename' && String(args[1]) === at('a.txt')) act();
    return result;
  });
  return restore(to).finally(stop);
}

const WORK = 'an hour of work\n';
const move = (source: string, destination: string): Wanted => ['move', { source, destination }];

test('what is written over, or taken away, is looked at once more just before', async () => {
  const desk = await undoDesk();
  const { at, put, read, run, redo, session } = desk;
  await put('a.txt', 'a0\n');
  await put('b.txt', 'b0\n');
  const to = await run(write('a.txt', 'a1\n'), write('b.txt', 'b1\n'), write('new.txt', 'new\n'));
  const outcomes = await restoreWhile(desk, to, () => {
    writeFileSync(at('b.txt'), WORK);
    writeFileSync(at('new.txt'), WORK);
  });
  expect(outcomes).toEqual({ 'a.txt': 'identical', 'b.txt': 'failed', 'new.txt': 'failed' });
  expect([await read('a.txt'), await read('b.txt'), await read('new.txt')]).toEqual(['a0\n', WORK, WORK]);
  const restored = session.events.findLast(({ type }) => type === 'restored');
  expect(restored).toMatchObject({ files: [{}, { reason: 'it has just changed' }, {}] });
  // It is no change of the restore, so that no redo takes it back.
  await redo();
  expect([await read('a.txt'), await read('b.txt'), await read('new.txt')]).toEqual(['a1\n', WORK, WORK]);
});

test('nothing is put where there was nothing, and is something now; what the user deletes stays deleted', async () => {
  const desk = await undoDesk();
  const { at, put, read, run } = desk;
  await put('a.txt', 'a0\n');
  await put('b.txt', 'b0\n');
  await put('d.txt', 'd0\n');
  const to = await run(move('a.txt', 'e.txt'), write('d.txt', 'd1\n'), move('b.txt', 'c.txt'));
  const outcomes = await restoreWhile(desk, to, () => {
    writeFileSync(at('b.txt'), WORK);
    unlinkSync(at('d.txt'));
  });
  const failed = { 'b.txt': 'failed', 'c.txt': 'failed', 'd.txt': 'failed', 'e.txt': 'failed' };
  expect(outcomes).toEqual({ 'a.txt': 'identical', ...failed });
  expect([await read('b.txt'), await read('c.txt'), await read('d.txt')]).toEqual([WORK, 'b0\n', undefined]);
});

test('a link takes the place of nothing else than it was to, and a link that leads elsewhere now stays', async () => {
  const desk = await undoDesk();
  const { at, put, read, run } = desk;
  await put('a.txt', 'a0\n');
  symlinkSync('a.txt', at('b'));
  const to = await run(write('a.txt', 'a1\n'), [
    'bash',
    { command: 'rm b && echo file > b && ln -s a.txt c' },
  ]);
  const outcomes = await restoreWhile(desk, to, () => {
    writeFileSync(at('b'), WORK);
    unlinkSync(at('c'));
    symlinkSync('b', at('c'));
  });
  expect(outcomes).toEqual({ 'a.txt': 'identical', b: 'failed', c: 'failed' });
  expect(await read('b')).toBe(WORK);
  expect(await readlink(at('c'))).toBe('b');
});
