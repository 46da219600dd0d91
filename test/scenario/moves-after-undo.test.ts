// A file that the agent has moved is one change, also when the move was undone and done again.
import { expect, test } from 'vitest';
import { rejectIn } from '../support/reject-in.ts';
import { reviewOf } from '../support/review-desk.ts';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk } from '../support/undo-desk.ts';

const LINES = 'one\ntwo\nthree\nfour\n';

/** Each command is a run, undone and done again; the user has put a line into the moved file then. */
async function movedAgain(...commands: readonly string[]) {
  const desk = await undoDesk();
  await desk.put('old.txt', LINES);
  for (const command of commands) {
    await desk.run(bash(command));
    await desk.undo();
    await desk.redo();
  }
  await desk.put('new.txt', `${LINES}mine\n`);
  return desk;
}

test.each([
  { how: 'moved once', commands: ['mv old.txt new.txt'] },
  { how: 'moved twice', commands: ['mv old.txt between.txt', 'mv between.txt new.txt'] },
])('a file that was $how is rejected as one change', async ({ commands }) => {
  const desk = await movedAgain(...commands);
  expect(await reviewOf(desk, 'new.txt')).toMatchObject({ from: desk.at('old.txt'), isPending: true });
  expect((await reviewOf(desk, 'old.txt')).isPending).toBe(false);
  await rejectIn(desk, 'new.txt', []);
  expect(await treeOf(desk.root)).toEqual({ 'old.txt': `644 ${LINES}mine\n` });
});

test('what the agent removes at the new place comes back at the old one, with your line', async () => {
  const desk = await movedAgain('mv old.txt new.txt');
  await desk.run(bash('rm new.txt'));
  expect((await reviewOf(desk, 'new.txt')).isPending).toBe(false);
  await rejectIn(desk, 'old.txt', []);
  expect(await treeOf(desk.root)).toEqual({ 'old.txt': `644 ${LINES}mine\n` });
});

test('what the agent has put at the old place again and removed is a change of its own', async () => {
  const desk = await movedAgain('mv old.txt new.txt');
  await desk.run(bash('echo other > old.txt'));
  await desk.run(bash('rm old.txt'));
  expect((await reviewOf(desk, 'old.txt')).isPending).toBe(true);
});
