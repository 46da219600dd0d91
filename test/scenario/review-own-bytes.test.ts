// What the user has made of a file is theirs, also where lines cannot be told apart, and no rejection takes it away.
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { acceptChanges, rejectChanges } from '../../extension/core/review/decide.ts';
import { choice, portsOf, reviewOf } from '../support/review-desk.ts';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk } from '../support/undo-desk.ts';

async function desk() {
  const made = await undoDesk();
  return {
    ...made,
    isPending: async (name: string) => (await reviewOf(made, name)).isPending,
    accept: async (name: string) => acceptChanges(portsOf(made), await choice(made, name)),
    /** All of these of which something is pending, at once. */
    reject: async (...names: readonly string[]) => {
      const all = await Promise.all(names.map((name) => choice(made, name)));
      await rejectChanges(
        portsOf(made),
        all.filter(({ review }) => review.isPending),
      );
    },
  };
}

const FOUND = '\0found';
const MINE = '\0mine, hours of work';
const byAgent = (name: string, text = 'agent') => bash(`printf '\\000${text}' > ${name}`);

test('what you save in a binary file of which nothing is pending is yours, and what the agent makes of it goes back to it', async () => {
  const { put, read, run, undo, accept, reject, isPending } = await desk();
  await put('accepted', FOUND);
  await put('undone', FOUND);
  await run(byAgent('accepted'));
  await accept('accepted');
  await run(byAgent('undone'));
  await undo();
  for (const name of ['accepted', 'undone']) {
    await put(name, MINE);
    expect(await isPending(name)).toBe(false);
    await run(byAgent(name, 'again'));
    await reject(name);
    expect(await read(name)).toBe(MINE);
    expect(await isPending(name)).toBe(false);
  }
});

test('where the agent has changed only the mode or the place of a binary file, your bytes go along', async () => {
  const { at, root, put, run, reject } = await desk();
  await mkdir(at('src'));
  for (const name of ['tool', 'src/data']) await put(name, FOUND);
  await chmod(at('tool'), 0o644);
  await run(bash('chmod 755 tool; mv src lib'));
  for (const name of ['tool', 'lib/data']) await put(name, MINE);
  await reject('tool', 'lib/data');
  expect(await treeOf(root)).toEqual({ src: '755', 'src/data': `644 ${MINE}`, tool: `644 ${MINE}` });
});

test('a text that is too large to be told apart by lines is yours where nothing of it is pending', async () => {
  const { put, run, accept, isPending } = await desk();
  const lines = 'line\n'.repeat(900_000);
  await put('large.txt', lines);
  await run(bash("sed -i '1s/line/agent/' large.txt"));
  await accept('large.txt');
  await put('large.txt', `mine\n${lines}`);
  expect(await isPending('large.txt')).toBe(false);
});

test.each([
  ['removes', 'rm logo'],
  ['packs', 'gzip logo'],
  ['changes', "printf 'more' >> logo"],
  ['moves', 'mv logo logo.gz'],
])(
  'where the agent %s a binary file that both have written, a rejection gives back what you had made of it',
  async (_, command) => {
    const { root, put, run, reject, isPending } = await desk();
    await put('logo', FOUND);
    await run(byAgent('logo'));
    await put('logo', MINE);
    await expect(reject('logo')).rejects.toThrow(', and Harness cannot separate');
    await run(bash(command));
    const names = Object.keys(await treeOf(root));
    await reject(...new Set([...names, 'logo']));
    expect(await treeOf(root)).toEqual({ logo: `644 ${MINE}` });
    expect(await isPending('logo')).toBe(false);
  },
);

test.each([
  ['a text', 'one\ntwo\n'],
  ['a binary file', FOUND],
])(
  '%s that the agent has only moved stays where it is when you have put another one at its old place',
  async (_, found) => {
    const { root, put, run, reject, isPending } = await desk();
    await put('a', found);
    await run(['move', { source: 'a', destination: 'b' }]);
    expect(await isPending('b')).toBe(true);
    await put('a', 'another\n');
    expect(await isPending('b')).toBe(false);
    await reject('a', 'b');
    expect(await treeOf(root)).toEqual({ a: '644 another\n', b: `644 ${found}` });
  },
);

test.each([
  ['the agent has put another one', true],
  ['you have put it again', false],
])('a moved file goes where %s at its old place, since it is accepted there', async (_, isByAgent) => {
  const { root, put, run, reject } = await desk();
  await put('a', 'one\ntwo\n');
  await run(bash('mv a b'));
  if (isByAgent) await run(bash('echo see b > a'));
  else await put('a', 'one\ntwo\n');
  await reject('a', 'b');
  expect(await treeOf(root)).toEqual({ a: '644 one\ntwo\n' });
});

test('what you have written into it keeps all of its text there then', async () => {
  const { root, put, run, reject } = await desk();
  await put('a', 'one\ntwo\n');
  await run(bash('mv a b'), bash('echo see b > a'));
  await put('b', 'one\ntwo, mine\n');
  await reject('a', 'b');
  expect(await treeOf(root)).toEqual({ a: '644 one\ntwo\n', b: '644 one\ntwo, mine\n' });
});

test('what a rejection removes is kept, also what only a command has made of a file that is gone', async () => {
  const { at, put, run, reject, session, store } = await desk();
  const large = 'precious\n'.repeat(700_000);
  await put('data', large);
  await run(bash('cp data copy; rm data'), bash('echo one > a; gzip a'));
  const archive = await readFile(at('a.gz'));
  await reject('copy', 'a.gz');
  const removed = session.events.flatMap((event) =>
    event.type === 'files_changed' && event.by === 'review' ? event.changes : [],
  );
  expect(removed.map(({ after }) => after.kind)).toEqual(['absent', 'absent']);
  const kept = new Map<string, Uint8Array>();
  for (const { path, before } of removed)
    if (before.kind === 'file') kept.set(path, await store.blobs(session.id).get(before.hash));
  expect(Buffer.compare(kept.get(at('a.gz')) ?? Buffer.alloc(0), archive)).toBe(0);
  expect(Buffer.from(kept.get(at('copy')) ?? []).toString() === large).toBe(true);
});

test('what is too large to be kept is not rejected, and that is said', async () => {
  const { at, run, reject } = await desk();
  await run(bash('truncate -s 50000001 large; printf x > small'));
  await expect(reject('large', 'small')).rejects.toThrow(
    `${at('large')} was not rejected: it is too large to store.`,
  );
  expect(await readdir(at('.'))).toEqual(['large']);
});

test.each([
  ['a folder', 'mv a t; mkdir a; mv t a/in', 'a/in'],
  ['a link', 'mv a b; ln -s b a', 'b'],
])(
  'a file that gave way to %s is yours where it lies then, once you have accepted that',
  async (_, command, place) => {
    const { root, put, run, reject, accept } = await desk();
    await put('a', 'one\ntwo\n');
    await run(bash(command), bash(`echo three >> ${place}`));
    await accept('a');
    await reject(place);
    expect((await treeOf(root))[place]).toBe('644 one\ntwo\n');
  },
);

test('where that is not accepted, all of it is as it was, wherever the file had come from', async () => {
  const { root, put, run, reject } = await desk();
  for (const name of ['a', 'x']) await put(name, `${name}\n`);
  const before = await treeOf(root);
  await run(bash('mv a b; ln -s b a'), bash('mv x y'), bash('mv y t; mkdir y; mv t y/in'));
  await reject('a', 'b', 'x', 'y', 'y/in');
  expect(await treeOf(root)).toEqual(before);
});

test('what you have written into a moved file that the agent then removes comes back with it', async () => {
  const { root, put, run, reject } = await desk();
  for (const name of ['a', 'b']) await put(name, 'one\ntwo\n');
  await run(bash('mv a c; mv b d'));
  await put('c', 'one, mine\ntwo\n');
  await run(bash('rm c d'));
  await reject('a', 'b', 'c', 'd');
  expect(await treeOf(root)).toEqual({ a: '644 one, mine\ntwo\n', b: '644 one\ntwo\n' });
});
