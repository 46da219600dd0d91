// A rejection is the user's own edit: no undo brings back what they have rejected, and what it takes back it takes whole.
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { undoStackOf } from '../../extension/core/checkpoints/undo-stack.ts';
import { rejectIn } from '../support/reject-in.ts';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk, type Wanted, write } from '../support/undo-desk.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';

/** The line of that number in y.txt. */
const edit = (line: number, content: string): Wanted => [
  'edit',
  { path: 'y.txt', operations: [{ op: 'replace', startLine: line, endLine: line, content: [content] }] },
];

async function reviewed() {
  const desk = await undoDesk();
  await desk.put('x.txt', 'x');
  await desk.put('y.txt', LINES);
  const reject = (name: string, ...lines: readonly string[]) => rejectIn(desk, name, lines);
  const readY: Wanted = ['read', { path: 'y.txt' }];
  const editY = (...edits: readonly Wanted[]) => desk.run(readY, ...edits);
  return { ...desk, reject, editY };
}

test('a file of an earlier run, rejected since the last one, stays rejected when that one is undone', async () => {
  const { read, run, editY, reject, undo, redo } = await reviewed();
  await editY(edit(2, 'TWO'));
  await run(write('x.txt', 'X'));
  await reject('y.txt');
  expect(await undo()).toEqual({ 'x.txt': 'identical' });
  expect([await read('x.txt'), await read('y.txt')]).toEqual(['x', LINES]);
  await redo();
  expect([await read('x.txt'), await read('y.txt')]).toEqual(['X', LINES]);
});

test('so does a change of an earlier run in a file that the last one has changed too', async () => {
  const { read, editY, reject, undo, redo } = await reviewed();
  await editY(edit(1, 'ONE'));
  await editY(edit(5, 'FIVE'));
  await reject('y.txt', '-one', '+ONE');
  expect(await undo()).toEqual({ 'y.txt': 'merged' });
  expect(await read('y.txt')).toBe(LINES);
  await redo();
  expect(await read('y.txt')).toBe(LINES.replace('five', 'FIVE'));
});

test('what was rejected of the run that is undone is no reason to leave the rest of it', async () => {
  const { read, editY, reject, restore, undo, redo } = await reviewed();
  await editY(edit(5, 'FIVE'));
  const before = await editY(edit(1, 'ONE'), edit(2, 'TWO'), write('new.txt', 'a\nb\n'));
  await reject('y.txt', '-one', '+ONE');
  await reject('new.txt', '+a');
  expect(await undo()).toEqual({ 'new.txt': 'identical', 'y.txt': 'identical' });
  expect([await read('y.txt'), await read('new.txt')]).toEqual([LINES.replace('five', 'FIVE'), undefined]);
  await redo();
  expect(await read('y.txt')).toBe(LINES.replace('two', 'TWO').replace('five', 'FIVE'));
  expect(await read('new.txt')).toBe('b\n');
  await reject('y.txt');
  expect(await restore(before)).toMatchObject({ 'new.txt': 'identical' });
  expect(await read('y.txt')).toBe(LINES);
});

test('what was rejected in a new file that the user has edited stays rejected: the file is left alone', async () => {
  const { put, read, run, reject, steps, undo } = await reviewed();
  const before = await run(write('new.txt', LINES));
  await put('new.txt', `${LINES}mine\n`);
  await reject('new.txt', '+two');
  expect(await steps(before)).toEqual({ 'new.txt': 'conflict' });
  expect(await undo()).toEqual({ 'new.txt': 'kept' });
  expect(await read('new.txt')).toBe(`${LINES.replace('two\n', '')}mine\n`);
});

test('so does a change in it by a later run, of which the rest is taken back', async () => {
  const { put, read, run, reject, restore, undo } = await reviewed();
  const moved: Wanted = ['move', { source: 'y.txt', destination: 'z.txt' }];
  const before = await run(moved);
  await run(bash('sed -i s/two/TWO/ z.txt; echo X > x.txt'));
  await put('z.txt', LINES.replace('two', 'TWO').replace('five', 'FIVE mine'));
  await reject('z.txt', '-two', '+TWO');
  await undo();
  const mine = LINES.replace('five', 'FIVE mine');
  expect([await read('x.txt'), await read('z.txt')]).toEqual(['x', mine]);
  await run(bash('sed -i s/one/ONE/ z.txt'));
  expect(await restore(before)).toEqual({ 'x.txt': 'identical', 'y.txt': 'identical', 'z.txt': 'merged' });
  expect([await read('y.txt'), await read('z.txt')]).toEqual([LINES, mine]);
});

test('a rejection between undos is no run, takes none away, and leaves redo as it was', async () => {
  const { session, read, run, editY, reject, undo, redo } = await reviewed();
  const first = await editY(edit(2, 'TWO'));
  await run(write('x.txt', 'X'));
  await undo();
  await reject('y.txt');
  expect(undoStackOf(session.events).undoTo).toBe(first + 1);
  await redo();
  expect([await read('x.txt'), await read('y.txt')]).toEqual(['X', LINES]);
  await undo();
  expect(await undo(), 'it was taken back already').toMatchObject({ 'y.txt': 'identical' });
  expect(undoStackOf(session.events).undoTo).toBeUndefined();
  for (const _ of [1, 2]) await redo();
  expect([await read('x.txt'), await read('y.txt')]).toEqual(['X', LINES]);
});

test('what was rejected while a command ran is no change of that command, and its undo brings none of it back', async () => {
  const { root, put, read, run, reject, undo } = await reviewed();
  await run(['read', { path: 'y.txt' }], edit(2, 'TWO'), write('made/new.txt', 'made\n'));
  const running = run(bash('echo x > z.txt; until [ -e go ]; do sleep 0.05; done'));
  await expect.poll(() => read('z.txt')).toBe('x\n');
  await reject('y.txt');
  await reject('made/new.txt');
  await put('go', '');
  await running;
  expect(await undo()).toMatchObject({ 'z.txt': 'identical' });
  expect(Object.keys(await treeOf(root))).toEqual(['x.txt', 'y.txt']);
  expect(await read('y.txt')).toBe(LINES);
});

/** Two runs, of which the last one has changed x.txt alone. Resolves with the event behind them. */
async function twoRuns() {
  const desk = await reviewed();
  await desk.put('gone.txt', 'gone\n');
  const first = await desk.run(write('new.txt', 'new\n'), bash('sed -i s/two/TWO/ y.txt; rm gone.txt'));
  await desk.run(write('x.txt', 'X'));
  const files = () => Promise.all(['x.txt', 'y.txt', 'new.txt', 'gone.txt'].map(desk.read));
  return { ...desk, first, end: desk.session.events.length, files };
}

type TwoRuns = Awaited<ReturnType<typeof twoRuns>>;

const rejectFirst = async ({ reject }: TwoRuns) => {
  for (const name of ['new.txt', 'y.txt', 'gone.txt']) await reject(name);
};
const undoFirstByHand = async ({ at, put }: TwoRuns) => {
  await rm(at('new.txt'));
  await put('y.txt', LINES);
  await put('gone.txt', 'gone\n');
};
const undoAndRedo = async ({ undo, redo }: TwoRuns) => {
  for (const step of [undo, undo, redo, redo]) await step();
};
const thereAndBack = async ({ first, end, restore }: TwoRuns) => {
  for (const to of [first, end]) await restore(to);
};

test.each([
  { back: 'undo and redo', cycle: undoAndRedo, how: 'rejected', takeBack: rejectFirst },
  { back: 'undo and redo', cycle: undoAndRedo, how: 'undone by hand', takeBack: undoFirstByHand },
  { back: 'checkpoints there and back', cycle: thereAndBack, how: 'rejected', takeBack: rejectFirst },
])('after $back, what is $how of an earlier run stays so when the last one is undone', async (each) => {
  const desk = await twoRuns();
  await each.cycle(desk);
  await each.takeBack(desk);
  expect(await desk.undo()).toEqual({ 'x.txt': 'identical' });
  expect(await desk.files()).toEqual(['x', LINES, undefined, 'gone\n']);
});

test('so does what is rejected between two redos', async () => {
  const desk = await twoRuns();
  for (const step of [desk.undo, desk.undo, desk.redo]) await step();
  await rejectFirst(desk);
  expect(await desk.redo()).toEqual({ 'x.txt': 'identical' });
  expect(await desk.files()).toEqual(['X', LINES, undefined, 'gone\n']);
});

test('a run of which all was rejected beside another of the same file is undone, and then the one before it', async () => {
  const { session, put, read, run, editY, reject, undo } = await reviewed();
  await run(write('x.txt', 'X'));
  await editY(edit(1, 'ONE'));
  await editY(edit(5, 'FIVE'));
  await reject('y.txt');
  await put('y.txt', `${LINES}mine\n`);
  for (const _ of [1, 2]) expect(await undo()).toEqual({ 'y.txt': 'merged' });
  expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
    message: expect.stringContaining('restored, keeps your edits'),
  });
  expect(await undo()).toMatchObject({ 'x.txt': 'identical' });
  expect([await read('x.txt'), await read('y.txt')]).toEqual(['x', `${LINES}mine\n`]);
});

/** The line of y.txt that the first of two runs had changed was edited when that was undone, so that no redo has touched it. */
async function redoneWithoutY() {
  const desk = await reviewed();
  await desk.editY(edit(2, 'TWO'), write('z.txt', 'Z'));
  await desk.run(write('x.txt', 'X'));
  for (const step of [desk.undo, desk.undo]) await step();
  await desk.put('y.txt', LINES.replace('two', 'mine'));
  expect(await desk.redo()).toEqual({ 'y.txt': 'kept', 'z.txt': 'identical' });
  return desk;
}

test.each([
  ['as it was', LINES],
  ['with another edit', LINES.replace('five', 'mine')],
])(
  'a file that no redo has touched stays, put back by hand %s, when another run is undone',
  async (_, text) => {
    const { at, read, put, redo, undo, steps, restore, session } = await redoneWithoutY();
    await redo();
    await put('y.txt', text);
    const to = undoStackOf(session.events).undoTo ?? 0;
    expect(await steps(to)).toMatchObject({ 'x.txt': 'restore', 'y.txt': 'conflict' });
    expect(await undo()).toEqual({ 'x.txt': 'identical', 'y.txt': 'kept' });
    expect([await read('x.txt'), await read('y.txt')]).toEqual(['x', text]);
    await redo();
    expect([await read('x.txt'), await read('y.txt')]).toEqual(['X', text]);
    await restore(to, new Map([[at('y.txt'), 'restore']]));
    expect(await read('y.txt')).toBe(LINES.replace('two', 'TWO'));
  },
);

test('a redo that has put nothing back can be tried again', async () => {
  const { read, put, editY, undo, redo } = await reviewed();
  await editY(edit(2, 'TWO'));
  await undo();
  await put('y.txt', LINES.replace('two', 'mine'));
  expect(await redo()).toEqual({ 'y.txt': 'kept' });
  await put('y.txt', LINES);
  expect(await redo()).toEqual({ 'y.txt': 'identical' });
  expect(await read('y.txt')).toBe(LINES.replace('two', 'TWO'));
});
