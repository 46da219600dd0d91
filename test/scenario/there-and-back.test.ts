// What the agent has changed there and back is as it was: what the user makes of it since is no undo's business.
import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bash, undoDesk } from '../support/undo-desk.ts';

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

async function repository() {
  const desk = await undoDesk();
  const git = (...args: string[]) =>
    execFileSync('git', [...AUTHOR, ...args], { cwd: desk.root, encoding: 'utf8' });
  const commit = () => [git('add', '-A'), git('commit', '-qm', 'a commit')];
  git('init', '-q', '-b', 'main');
  await desk.put('a.ts', 'one\n');
  commit();
  return { ...desk, git, commit };
}

test('a branch that was checked out there and back: the one that the user checks out then stays', async () => {
  const { put, run, undo, read, git, commit } = await repository();
  git('checkout', '-qb', 'feature');
  await put('a.ts', 'two\n');
  await put('feature.ts', 'f\n');
  commit();
  git('checkout', '-q', 'main');
  await put('README.md', 'r\n');
  commit();
  git('checkout', '-q', 'feature');
  await run(bash('git checkout -q main'), bash('git checkout -q feature'), bash('echo log > notes.txt'));
  git('checkout', '-q', 'main');
  expect(await undo()).toEqual({ 'notes.txt': 'identical' });
  expect(git('status', '--short')).toBe('');
  expect([await read('a.ts'), await read('README.md')]).toEqual(['one\n', 'r\n']);
});

test('what was stashed and popped stays taken back by the user', async () => {
  const { put, run, undo, read, git } = await repository();
  await put('a.ts', 'mine\n');
  await run(bash(`git ${AUTHOR.join(' ')} stash -q`), bash('git stash pop -q'), bash('echo log > notes.txt'));
  git('checkout', '-q', 'a.ts');
  expect(await undo()).toEqual({ 'notes.txt': 'identical' });
  expect(await read('a.ts')).toBe('one\n');
});

test('what was made and removed, or removed and made again, is the user’s since', async () => {
  const { put, run, undo, redo, read, at } = await undoDesk();
  await mkdir(at('dist'));
  await put('dist/a.js', 'a\n');
  await run(
    bash('echo key > .env.local; rm -r dist'),
    bash('rm .env.local; mkdir dist; echo a > dist/a.js'),
    bash('echo made > made.txt'),
  );
  await put('.env.local', 'key\n');
  await rm(at('dist'), { recursive: true });
  expect(await undo()).toEqual({ 'made.txt': 'identical' });
  expect([await read('.env.local'), await read('dist/a.js')]).toEqual(['key\n', undefined]);
  expect(await redo()).toEqual({ 'made.txt': 'identical' });
});

test('a folder that was made goes, unless the user has something in it that was there and gone', async () => {
  const { put, run, undo, read } = await undoDesk();
  await run(bash('mkdir d e; echo 1 > d/1'), bash('rm d/1'));
  await put('d/1', 'mine\n');
  expect(await undo()).toMatchObject({ d: 'kept', e: 'identical' });
  expect(await read('d/1')).toBe('mine\n');
});

test('where the user has had a hand in between, it is not as it was', async () => {
  const { put, run, undo, read } = await undoDesk();
  await put('a.txt', 'one\n');
  await run(bash('echo two > a.txt'));
  await put('a.txt', 'three\n');
  await run(bash('echo one > a.txt; echo made > made.txt'));
  expect(await undo()).toEqual({ 'a.txt': 'identical', 'made.txt': 'identical' });
  expect(await read('a.txt')).toBe('three\n');
});
