// What “Undo Last Run” and “Redo” do next, whatever was restored before.
import { mkdir, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { MAX_BELOW } from '../../extension/core/checkpoints/file-state.ts';
import { undoStackOf } from '../../extension/core/checkpoints/undo-stack.ts';
import { rejectIn } from '../support/reject-in.ts';
import { bash, threeRuns, undoDesk, write } from '../support/undo-desk.ts';

type Desk = Awaited<ReturnType<typeof undoDesk>>;

test('going back with the conversation alone leaves undo where it was', async () => {
  const { session, read, undo, before } = await threeRuns();
  const { undoTo } = undoStackOf(session.events);
  await session.restore({ to: before[0] ?? 0, plan: [], choices: new Map(), fork: 'another' });
  expect(undoStackOf(session.events)).toMatchObject({ undoTo, redo: undefined });
  await undo();
  expect(await read('a.txt')).toBe('2');
});

test('a restore that left all files alone leaves undo where it was', async () => {
  const { session, put, read, restore, undo, before } = await threeRuns();
  const { undoTo } = undoStackOf(session.events);
  await put('a.txt', 'mine');
  expect(await restore(before[0] ?? 0)).toEqual({ 'a.txt': 'kept' });
  expect(undoStackOf(session.events)).toMatchObject({ undoTo, redo: undefined });
  await put('a.txt', '3');
  await undo();
  expect(await read('a.txt')).toBe('2');
});

test('a redo that the user stands in the way of can be asked for again', async () => {
  const { put, read, undo, redo } = await threeRuns();
  await undo();
  for (const text of ['mine', '0']) {
    await put('a.txt', text);
    expect(await redo()).toEqual({ 'a.txt': 'kept' });
  }
  await put('a.txt', '2');
  expect(await redo()).toEqual({ 'a.txt': 'identical' });
  expect(await read('a.txt')).toBe('3');
});

test('what the user had put back by hand counts as undone', async () => {
  const { put, read, undo, redo } = await threeRuns();
  await put('a.txt', '2');
  expect(await undo()).toEqual({ 'a.txt': 'identical' });
  await undo();
  expect(await read('a.txt')).toBe('1');
  await redo();
  await redo();
  expect(await read('a.txt')).toBe('2');
});

test.each([
  {
    what: 'put back by hand',
    how: ({ put }: Desk) => put('a.txt', '0\n'),
    is: '0\n',
  },
  { what: 'rejected', how: (desk: Desk) => rejectIn(desk, 'a.txt', []), is: '0\n' },
  { what: 'deleted', how: ({ at }: Desk) => rm(at('new.txt')), name: 'new.txt' },
])(
  'what the user has $what as it was before an earlier run holds no undo up, and stays so',
  async ({ how, name = 'a.txt', is }) => {
    const desk = await undoDesk();
    const { at, put, read, run, restore, steps, undo, redo, session } = desk;
    await put('a.txt', '0\n');
    await run(write('new.txt', '1'), write('a.txt', '1\n'));
    const before = await run(write(name, '2\n'));
    await how(desk);
    expect(await steps(before)).toEqual({ [name]: 'conflict' });
    expect(await undo()).toEqual({ [name]: 'merged' });
    expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
      message: expect.stringContaining(
        `${name}: restored, keeps your edits, but you have restored it to an even earlier version.`,
      ),
    });
    expect(await read(name)).toBe(is);
    expect(await undo()).toMatchObject({ [name]: 'identical' });
    expect([await read('a.txt'), await read('new.txt')]).toEqual(['0\n', undefined]);
    for (const _ of [1, 2]) await redo();
    expect(await read(name)).toBe(is);
    expect(await restore(before, new Map([[at(name), 'restore']]))).toMatchObject({ [name]: 'identical' });
  },
);

test('an undo of the undo of the undo, to events between them, and all the way back', async () => {
  const { session, read, restore, undo, redo, before } = await threeRuns();
  const [first = 0, second = 0] = before;
  const now = () => session.events.length;
  const afterRuns = now();
  await restore(second);
  const afterUndo = now();
  await restore(afterRuns);
  expect(await read('a.txt')).toBe('3');
  await restore(afterUndo);
  expect(await read('a.txt')).toBe('1');
  expect(undoStackOf(session.events).undoTo, 'only the first run is still there').toBe(first + 1);
  await undo();
  expect(await read('a.txt')).toBe('0');
  for (const text of ['1', '3', '1', '3']) {
    await redo();
    expect(await read('a.txt')).toBe(text);
  }
  expect(undoStackOf(session.events).redo).toBeUndefined();
});

test('a run that was undone, and whose files are there again, can be undone again', async () => {
  const { session, read, run, restore, undo, before } = await threeRuns();
  const [first = 0, second = 0] = before;
  await restore(first);
  await run(write('a.txt', 'other'));
  await restore(second);
  expect(await read('a.txt')).toBe('1');
  await undo();
  expect(await read('a.txt')).toBe('0');
  expect(undoStackOf(session.events).undoTo).toBeUndefined();
});

test('new work ends redo; a run that changes no file does not', async () => {
  const { session, read, run, undo, redo } = await threeRuns();
  await undo();
  await run(['read', { path: 'a.txt' }]);
  await redo();
  expect(await read('a.txt')).toBe('3');
  await undo();
  await run(['read', { path: 'a.txt' }], write('b.txt', 'new'));
  expect(undoStackOf(session.events).redo).toBeUndefined();
  await undo();
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['2', undefined]);
  await undo();
  expect(await read('a.txt')).toBe('1');
});

test('what was planned before another run has changed more is not done, and that run can be undone', async () => {
  const { put, read, run, restore, undo, session } = await undoDesk();
  await put('a.txt', '0');
  const to = await run(write('a.txt', '1'));
  const plan = await session.planRestore(to);
  await run(write('b.txt', 'b'));
  await expect(session.restore({ to, plan, choices: new Map() })).rejects.toThrow(
    'More files have changed in the meantime. Nothing was',
  );
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['1', 'b']);
  expect(await undo()).toEqual({ 'b.txt': 'identical' });
  expect(await restore(to)).toEqual({ 'a.txt': 'identical', 'b.txt': 'identical' });
});

test('a run whose changes could not be kept is the last one all the same: nothing of an earlier one is undone for it', async () => {
  const { at, put, read, run, undo, redo, session } = await undoDesk();
  await put('a.txt', '0');
  await mkdir(at('big'));
  await Promise.all(Array.from({ length: MAX_BELOW.entries + 1 }, (_, index) => put(`big/${index}`, '')));
  const first = await run(write('a.txt', '1'));
  const second = await run(['move', { source: 'big', destination: 'large' }]);
  await run(bash('true'));
  expect(undoStackOf(session.events).undoTo).toBe(second + 1);
  expect(await undo()).toEqual({});
  expect(await read('a.txt')).toBe('1');
  expect(undoStackOf(session.events).undoTo).toBe(first + 1);
  await redo();
  expect(undoStackOf(session.events).undoTo).toBe(second + 1);
  for (const _ of [1, 2]) await undo();
  expect(await read('a.txt')).toBe('0');
});
