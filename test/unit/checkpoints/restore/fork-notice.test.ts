import { expect, test } from 'vitest';
import { filesOfThen, filesPutBack } from '../../../../extension/core/checkpoints/restore/fork-notice.ts';

const ROOTS = [{ name: 'work', path: '/repo' }];
const path = (name: string) => `/repo/${name}`;

test('the model of a fork is told which files are not what they were', () => {
  const told = filesPutBack(
    [
      { path: path('a'), outcome: 'identical' },
      { path: path('b'), outcome: 'kept', reason: 'it has changed since' },
      { path: path('c'), outcome: 'merged' },
      { path: path('d'), outcome: 'failed', reason: 'the disk is full' },
    ],
    ROOTS,
    [],
  );
  expect(told).toContain('not put back, and are as they are now: b, d.');
  expect(told).toContain('later edits of the user in them: c.');
});

test('where all files are what they were, no other is named', () => {
  const told = filesPutBack([{ path: path('a'), outcome: 'identical' }], ROOTS, []);
  expect(told).toBe(
    'The user has now had the files put back to what they were at that point. Read files again before you edit them.',
  );
});

test('what could not be found out is told', () => {
  const unknown = ['there were too many changes'];
  expect(filesPutBack([{ path: path('a'), outcome: 'identical' }], ROOTS, unknown)).toContain(unknown[0]);
});

test('the model of a fork in a worktree is told which files are not those of then there', () => {
  const worktree = { path: '/repo-fork', repository: '/repo', submodules: ['vendor'] };
  const told = filesOfThen(worktree, [path('large.bin')]);
  expect(told).toContain('could not be made so: /repo/large.bin.');
  expect(told).toContain('empty in the copy: vendor.');
  expect(filesOfThen({ ...worktree, submodules: [] }, [])).toMatch(/at that point\.$/);
});
