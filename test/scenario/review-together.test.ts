// Files that are rejected together: what one of them was may lie at the path of another.
import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Change, WorkspaceError } from '../../extension/core/ports/workspace.ts';
import type { DecisionPorts } from '../../extension/core/review/apply-rejection.ts';
import { rejectChanges } from '../../extension/core/review/decide.ts';
import { choice, portsOf } from '../support/review-desk.ts';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk } from '../support/undo-desk.ts';

type Apply = DecisionPorts['workspace']['apply'];

async function desk() {
  const made = await undoDesk();
  const ports = portsOf(made);
  const { apply } = ports.workspace;
  return {
    ...made,
    sizeOf: (name: string) =>
      stat(made.at(name)).then(
        ({ size }) => size,
        () => undefined,
      ),
    /** All of these of which something is pending, at once. `instead` may do something else than the editor would. */
    reject: async (
      names: readonly string[],
      instead?: (change: Change, apply: Apply) => ReturnType<Apply>,
    ) => {
      const all = await Promise.all(names.map((name) => choice(made, name)));
      const pending = all.filter(({ review }) => review.isPending);
      const plain: Apply = (change) => apply.call(ports.workspace, change);
      const workspace = { apply: (change: Change) => (instead ?? ((each) => plain(each)))(change, plain) };
      await rejectChanges({ ...ports, workspace }, pending);
    },
  };
}

/** More than is kept aside of one file. */
const LARGE = 5_500_000;
const lines = (line: string, size = LARGE) => line.repeat(Math.ceil(size / line.length)).slice(0, size);

test.each(['data', 'z'])(
  'a large file that a command has moved over another comes back, whatever its name: %s',
  async (name) => {
    const { put, run, reject, read, sizeOf } = await desk();
    await put(name, lines('precious\n'));
    await put('other', 'old');
    await run(bash(`mv ${name} other`));
    await reject([name, 'other']);
    expect([await sizeOf(name), await read('other')]).toEqual([LARGE, 'old']);
  },
);

test('two large files that a command has swapped come back', async () => {
  const { put, run, reject, read } = await desk();
  await put('a', lines('a\n'));
  await put('b', lines('b\n', LARGE + 10));
  await run(bash('mv a t; mv b a; mv t b'));
  await reject(['a', 'b']);
  expect([(await read('a'))?.[0], (await read('b'))?.[0]]).toEqual(['a', 'b']);
});

test('what could not be written to its old place comes back when it is rejected again', async () => {
  const { at, root, put, run, reject } = await desk();
  await put('a', 'mine');
  await put('b', 'other');
  await put('c', '\0mine too');
  const found = await treeOf(root);
  await run(bash('mv a b; gzip c'));
  const fails: Parameters<typeof reject>[1] = (change, apply) =>
    change.kind === 'write' && [at('a'), at('c')].includes(change.path)
      ? Promise.reject(new WorkspaceError('no-space', change.path, 'disk full'))
      : apply(change);
  const names = ['a', 'b', 'c', 'c.gz'];
  await expect(reject(names, fails)).rejects.toThrow(
    /Could not write \S*a: the disk is full[\s\S]*Could not write \S*c/,
  );
  expect(await treeOf(root)).toEqual({ b: '644 other' });
  await reject(names);
  expect(await treeOf(root)).toEqual(found);
});

test.each([
  ['a file', 'config/mine', 'mv t config/default'],
  ['a line', 'config/default', 'mv t config/default'],
  ['a line, where the agent has changed others', 'config/default', 'sed s/one/ONE/ t > config/default; rm t'],
])('a file that became a folder stays one while %s of yours is in it', async (_, own, command) => {
  const { root, put, read, run, reject } = await desk();
  await put('config', 'one\ntwo\nthree\n');
  await run(bash(`mv config t; mkdir config; ${command}`));
  await put(own, ((await read(own)) ?? '').replace('two', 'two, mine') || 'my own\n');
  await expect(reject(['config', 'config/default'])).rejects.toThrow('it contains something that stays');
  expect(await treeOf(root)).toMatchObject({
    config: '755',
    [own]: expect.stringMatching(/two, mine|my own/),
  });
});

test('a file that the agent has put into folders of its name, one in the other, comes back out of them', async () => {
  const { root, put, run, reject } = await desk();
  await put('a', '\0mine');
  const before = await treeOf(root);
  await run(bash('mv a t; mkdir a; mv t a/in'), bash('mv a/in t; mkdir a/in; mv t a/in/in'));
  await reject(['a', 'a/in', 'a/in/in']);
  expect(await treeOf(root)).toEqual(before);
});

test('what comes back in a folder keeps that from becoming a file again', async () => {
  const { root, put, run, reject } = await desk();
  await put('a', '\0mine');
  await run(bash('mv a t; mkdir a; gzip -c t > a.gz; mv t a/in'));
  await put('a/in', '\0mine, changed');
  await run(bash('rm a/in'));
  await expect(reject(['a', 'a/in', 'a.gz'])).rejects.toThrow('it contains something that stays');
  expect(await treeOf(root)).toEqual({ a: '755', 'a/in': '644 \0mine, changed' });
});

test('what a language server mends when a file is moved back is no reason to refuse the rest', async () => {
  const { root, put, run, reject } = await desk();
  await put('a.ts', 'export const a = 1;\n');
  for (const name of ['main.ts', 'zoo.ts']) await put(name, "import './a';\nrest\n");
  const before = await treeOf(root);
  await run(bash(`mv a.ts b.ts; sed -i 's#./a#./b#' main.ts zoo.ts; echo more >> main.ts`));
  await reject(['b.ts', 'main.ts', 'zoo.ts'], async (change, apply) => {
    const now = await treeOf(root);
    const isToMend = (name: string) => now[name] !== before[name];
    if (change.kind === 'move')
      for (const name of ['main.ts', 'zoo.ts'].filter(isToMend)) await put(name, "import './a';\nits own\n");
    return apply(change);
  });
  expect(await treeOf(root)).toEqual(before);
});

test('what has become meanwhile what it was is well', async () => {
  const { at, root, put, run, reject } = await desk();
  for (const name of ['a', 'b']) await put(name, 'one\n');
  const before = await treeOf(root);
  await run(bash('echo two >> a; echo two >> b'));
  await reject(['a', 'b'], async (change, apply) => {
    if (change.kind === 'write' && change.path === at('a')) await put('b', 'one\n');
    return apply(change);
  });
  expect(await treeOf(root)).toEqual(before);
});
