import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Choices } from '../../extension/core/files/apply-restore.ts';
import { undoStackOf } from '../../extension/core/files/undo-stack.ts';
import { undoableHistory } from '../../extension/core/files/undoable-history.ts';
import { ScriptedModel } from '../../extension/core/ports/scripted-model.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { calls, expectWellFormed, says, scenario } from '../support/scenario.ts';

type Wanted = readonly [string, Record<string, unknown>];
const write = (path: string, content: string): Wanted => ['write', { path, content }];

async function desk() {
  const made = await scenario({ mode: 'bypass' });
  const { session, root, settings } = made;
  const at = (name: string) => join(root, name);
  let call = 1;
  return {
    ...made,
    at,
    put: (name: string, content: string | Uint8Array) => writeFile(at(name), content),
    read: (name: string) => readFile(at(name), 'utf8').catch(() => undefined),
    /** One run. Resolves with the event before it. */
    run: async (...wanted: readonly Wanted[]) => {
      const before = session.events.length;
      const model = new ScriptedModel(calls(call, ...wanted), says('Done.'));
      model.tools = ['apply_patch'];
      call += wanted.length;
      await session.prompt('Go on', settings(model));
      return before;
    },
    restore: async (to: number, choices: Choices = new Map(), redoes?: string) => {
      const plan = await session.planRestore(to);
      const files = await session.restore({ to, plan, choices, redoes });
      expectWellFormed(session.events);
      return Object.fromEntries(files.map(({ path, outcome }) => [path.slice(root.length + 1), outcome]));
    },
    steps: async (to: number) => {
      const plan = await session.planRestore(to);
      return Object.fromEntries(plan.map(({ path, step }) => [path.slice(root.length + 1), step.kind]));
    },
  };
}

test('a run is taken back, in all its files, directories, modes and links, and done again', async () => {
  const { at, put, read, run, restore, session } = await desk();
  await put('a.txt', 'one\r\n');
  await chmod(at('a.txt'), 0o755);
  await mkdir(at('old/empty'), { recursive: true });
  await symlink('../a.txt', at('old/link'));
  const before = await run(write('a.txt', 'two'), write('new/deep/b.txt', 'b'), write('a.txt', 'three'), [
    'move',
    { source: 'old', destination: 'moved' },
  ]);
  expect(await restore(before)).toEqual({
    'a.txt': 'identical',
    moved: 'identical',
    'moved/empty': 'identical',
    'moved/link': 'identical',
    new: 'identical',
    'new/deep': 'identical',
    'new/deep/b.txt': 'identical',
    old: 'identical',
    'old/empty': 'identical',
    'old/link': 'identical',
  });
  expect(await read('a.txt')).toBe('one\r\n');
  expect((await lstat(at('a.txt'))).mode & 0o777).toBe(0o755);
  expect((await readdir(at(''))).sort()).toEqual(['a.txt', 'old']);
  expect((await readdir(at('old'))).sort()).toEqual(['empty', 'link']);
  expect(await readlink(at('old/link'))).toBe('../a.txt');
  const notice = session.events.findLast((event) => event.type === 'notice');
  expect(notice?.message).toBe('10 files identical to checkpoint.');
  expect(notice?.toModel).toMatch(/a\.txt.*Read them again/);
  const { redo } = undoStackOf(session.events);
  await restore(redo?.to ?? 0, new Map(), redo?.restored.id);
  expect(await read('a.txt')).toBe('three');
  expect(await read('new/deep/b.txt')).toBe('b');
  expect((await readdir(at(''))).sort()).toEqual(['a.txt', 'moved', 'new']);
});

test('edits that the user made since are kept, in their line ends and encoding', async () => {
  const { put, read, run, restore, steps } = await desk();
  const lines = (...texts: readonly string[]) => `\uFEFF${texts.join('\r\n')}\r\n`;
  await put('a.txt', lines('one', 'two', 'three', 'four', 'five'));
  const before = await run([
    'edit',
    { path: 'a.txt', operations: [{ op: 'replace', startLine: 2, endLine: 2, content: ['TWO'] }] },
  ]);
  await put('a.txt', lines('one', 'TWO', 'three', 'four', 'mine', 'five'));
  expect(await steps(before)).toEqual({ 'a.txt': 'merge' });
  expect(await restore(before)).toEqual({ 'a.txt': 'merged' });
  expect(await read('a.txt')).toBe(lines('one', 'two', 'three', 'four', 'mine', 'five'));
});

test('edits that the user made between two runs are kept when both are taken back', async () => {
  const { put, read, run, restore } = await desk();
  await put('a.txt', '1\n2\n3\n4\n5\n');
  const before = await run(
    ['bash', { command: 'true' }],
    ['edit', { path: 'a.txt', operations: [{ op: 'replace', startLine: 1, endLine: 1, content: ['one'] }] }],
  );
  await put('a.txt', 'one\n2\nmine\n4\n5\n');
  await run(
    ['read', { path: 'a.txt' }],
    ['edit', { path: 'a.txt', operations: [{ op: 'replace', startLine: 5, endLine: 5, content: ['five'] }] }],
  );
  expect(await restore(before)).toEqual({ 'a.txt': 'merged' });
  expect(await read('a.txt')).toBe('1\n2\nmine\n4\n5\n');
});

test('what cannot be joined is left alone unless the user says otherwise', async () => {
  const { put, read, run, restore, steps } = await desk();
  await put('a.txt', 'one\n');
  await put('binary', 'a\0b');
  const before = await run(write('a.txt', 'two\n'), write('new.txt', 'new'), write('binary', 'text'));
  await put('a.txt', 'mine\n');
  await put('new.txt', 'mine too');
  await put('binary', 'c\0d');
  expect(await steps(before)).toEqual({ 'a.txt': 'conflict', 'new.txt': 'conflict', binary: 'conflict' });
  expect(await restore(before)).toEqual({ 'a.txt': 'kept', 'new.txt': 'kept', binary: 'kept' });
  expect([await read('a.txt'), await read('new.txt'), await read('binary')]).toEqual([
    'mine\n',
    'mine too',
    'c\0d',
  ]);
});

test('the user’s choice is what happens, and can be taken back too', async () => {
  const { at, put, read, run, restore, session } = await desk();
  await put('a.txt', 'one\n');
  const before = await run(write('a.txt', 'two\n'), write('new.txt', 'new'));
  await put('a.txt', 'mine\n');
  await put('new.txt', 'mine too');
  const choices = new Map([
    [at('a.txt'), 'restore'],
    [at('new.txt'), 'restore'],
  ] as const);
  expect(await restore(before, choices)).toEqual({ 'a.txt': 'identical', 'new.txt': 'identical' });
  expect([await read('a.txt'), await read('new.txt')]).toEqual(['one\n', undefined]);
  const { redo } = undoStackOf(session.events);
  await restore(redo?.to ?? 0, new Map(), redo?.restored.id);
  expect([await read('a.txt'), await read('new.txt')]).toEqual(['mine\n', 'mine too']);
  expect(undoStackOf(session.events).redo).toBeUndefined();
});

test('a directory that holds something of the user stays, with that in it', async () => {
  const { put, read, run, restore, steps } = await desk();
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

test('what the user has deleted comes back only where they want it', async () => {
  const { at, put, read, run, restore } = await desk();
  await put('a.txt', 'one');
  const before = await run(write('a.txt', 'two'));
  await rm(at('a.txt'));
  expect(await restore(before)).toEqual({ 'a.txt': 'kept' });
  expect(await read('a.txt')).toBeUndefined();
  expect(await restore(before, new Map([[at('a.txt'), 'restore']]))).toEqual({ 'a.txt': 'identical' });
  expect(await read('a.txt')).toBe('one');
});

test('bytes that are no longer kept, or damaged, are said to be so, and the rest is restored', async () => {
  const { root, put, read, run, session, openLog, store } = await desk();
  await put('a.txt', 'one');
  const before = await run(write('a.txt', 'two'), write('b.txt', 'b'));
  const blobs = join(root, '../home/sessions', session.id, 'blobs');
  for (const name of await readdir(blobs)) await writeFile(join(blobs, name), 'damaged');
  await session.close();
  const later = await openLog(await store.open(session.id));
  const plan = await later.planRestore(before);
  expect(plan.map(({ step }) => step.kind)).toEqual(['unkept', 'restore']);
  const [kept] = await later.restore({ to: before, plan, choices: new Map() });
  expect(kept).toMatchObject({ outcome: 'kept', reason: 'its bytes of then are not kept' });
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['two', undefined]);
  await later.close();
});

test('one run after the other is undone, the newest first, and done again in turn; a new run ends that', async () => {
  const { put, read, run, restore, session } = await desk();
  const undo = () => restore(undoStackOf(session.events).undoTo ?? Number.NaN);
  const redo = () => {
    const { redo: next } = undoStackOf(session.events);
    return restore(next?.to ?? Number.NaN, new Map(), next?.restored.id);
  };
  await put('a.txt', '0');
  for (const text of ['1', '2', '3']) await run(write('a.txt', text));
  for (const text of ['2', '1', '0']) {
    await undo();
    expect(await read('a.txt')).toBe(text);
  }
  expect(undoStackOf(session.events).undoTo).toBeUndefined();
  for (const text of ['1', '2', '3']) {
    await redo();
    expect(await read('a.txt')).toBe(text);
  }
  expect(undoStackOf(session.events).redo).toBeUndefined();
  await undo();
  await undo();
  await run(['read', { path: 'a.txt' }], write('a.txt', '4'));
  expect(undoStackOf(session.events).redo).toBeUndefined();
  for (const text of ['1', '0']) {
    await undo();
    expect(await read('a.txt')).toBe(text);
  }
});

test('what the user had written into a new file is kept, also where the file was moved over another one since', async () => {
  const { put, read, run, restore, steps } = await desk();
  await put('a.txt', 'one');
  const before = await run(write('b.txt', 'new\n'));
  await put('b.txt', 'mine\nnew\n');
  await run(['move', { source: 'b.txt', destination: 'a.txt' }]);
  expect(await steps(before)).toEqual({ 'a.txt': 'restore', 'b.txt': 'merge' });
  await restore(before);
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['one', 'mine\nnew\n']);
});

test('what an imported file says of other folders is never written, and of this one only where it was this one', async () => {
  const { root, session } = await desk();
  const [inside, outside] = [join(root, 'a.txt'), join(root, '../outside.txt')];
  const absent = { kind: 'absent' } as const;
  const changes = [inside, outside].map((path) => ({
    path,
    before: { kind: 'link', target: 'x' },
    after: absent,
  }));
  const place = { timestamp: 0, session: session.id, prev: '' };
  const told = { type: 'files_changed', id: 'c', by: 'tool', changes, seq: 2, ...place } as SessionEvent;
  const from = { session: 'other', head: '' };
  const imported = (elsewhere?: true) =>
    ({
      type: 'imported',
      from,
      cwd: root,
      ...(elsewhere && { elsewhere }),
      seq: 3,
      ...place,
    }) as SessionEvent;
  expect(undoableHistory([told, imported()]).paths).toEqual([inside]);
  expect(undoableHistory([told, imported(true)]).changesOf(inside)).toEqual([]);
  expect(undoableHistory([imported(true), told]).paths).toEqual([inside, outside]);
});

test('what is changed between the plan and its confirmation is not overwritten', async () => {
  const { put, read, run, session } = await desk();
  const before = await run(write('a.txt', 'one'));
  const plan = await session.planRestore(before);
  await put('a.txt', 'typed meanwhile');
  const [file] = await session.restore({ to: before, plan, choices: new Map() });
  expect(file).toMatchObject({ outcome: 'failed', reason: 'it was changed at this moment' });
  expect(await read('a.txt')).toBe('typed meanwhile');
});

test.each([0, -1, 9999])('there is no event %i to go back to', async (to) => {
  const { run, session } = await desk();
  await run(write('a.txt', 'one'));
  await expect(session.planRestore(to)).rejects.toThrow(`There is no event ${to} in this session`);
});
