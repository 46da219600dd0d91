import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Preview } from '../../../extension/core/ports/approver.ts';
import type { ModelEvent } from '../../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../../extension/core/ports/scripted-model.ts';
import { RunUndo } from '../../../extension/vscode/run-undo.ts';
import { calls, says, scenario } from '../../support/scenario.ts';

const write = (path: string, content: string) => ['write', { path, content }] as const;

async function desk() {
  const previews = new Map<string, readonly Preview[]>();
  const made = await scenario({ mode: 'bypass', onPreviews: (id, made) => previews.set(id, made) });
  const { session, settings, ports, root } = made;
  const runUndo = new RunUndo({
    workspace: ports.workspace,
    changes: (_session, id) => previews.get(id) ?? [],
    savedAs: () => undefined,
    remove: rm,
  });
  return {
    session,
    previews,
    runUndo,
    undo: { undo: () => runUndo.undo(session), redo: () => runUndo.redo(session) },
    put: (name: string, text: string | Uint8Array) => writeFile(join(root, name), text),
    read: (name: string) => readFile(join(root, name), 'utf8').catch(() => undefined),
    bytes: (name: string) => readFile(join(root, name)),
    run: (...replies: readonly ModelEvent[][]) => {
      const model = new ScriptedModel(...replies, says('Done.'));
      model.tools = ['apply_patch'];
      return session.prompt('Go', settings(model));
    },
    notice: () => session.events.findLast((event) => event.type === 'notice'),
  };
}

test('a run is undone and done again: changed files, new files, several changes of one file', async () => {
  const { put, read, run, undo, notice } = await desk();
  await put('a.txt', 'one\r\n');
  await run(calls(1, write('a.txt', 'two'), write('new/b.txt', 'b'), write('a.txt', 'three')));
  await undo.undo();
  expect(await read('a.txt')).toBe('one\r\n');
  expect(await read('new/b.txt')).toBeUndefined();
  expect(notice()).toMatchObject({
    message: 'Undone: new/b.txt, a.txt.',
    toModel: expect.stringMatching(/undone your last changes .*a\.txt.*Read them again/),
  });
  await undo.redo();
  expect(await read('a.txt')).toBe('three');
  expect(await read('new/b.txt')).toBe('b');
  expect(notice()?.message).toBe('Done again: new/b.txt, a.txt.');
  await expect(undo.redo()).rejects.toThrow('Nothing was undone');
});

test('a patch is undone and done again, in all its files', async () => {
  const { put, read, run, undo } = await desk();
  await put('a.txt', 'a\n');
  await put('b.txt', 'b\n');
  await put('c.txt', 'c\n');
  const lines = ['*** Update File: a.txt', '-a', '+A', '*** Delete File: b.txt'];
  const moved = ['*** Update File: c.txt', '*** Move to: d.txt', '*** Add File: e.txt', '+e'];
  const input = ['*** Begin Patch', ...lines, ...moved, '*** End Patch'].join('\n');
  await run(calls(1, ['apply_patch', { input }]));
  const texts = () => Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => read(`${name}.txt`)));
  expect(await texts()).toEqual(['A\n', undefined, undefined, 'c\n', 'e\n']);
  await undo.undo();
  expect(await texts()).toEqual(['a\n', 'b\n', 'c\n', undefined, undefined]);
  await undo.redo();
  expect(await texts()).toEqual(['A\n', undefined, undefined, 'c\n', 'e\n']);
});

test('what was undone of a session is done again by whichever panel shows it, and not in another session', async () => {
  const { put, read, run, session, runUndo } = await desk();
  await put('a.txt', '0');
  await run(calls(1, write('a.txt', '1')));
  await runUndo.undo(session);
  const other = { id: 'another', busy: false, events: [], note: async () => {} };
  await expect(runUndo.redo(other)).rejects.toThrow('Nothing was undone');
  await runUndo.redo({ id: session.id, busy: false, events: session.events, note: async () => {} });
  expect(await read('a.txt')).toBe('1');
});

test('one run after the other is undone, the newest first, and done again in turn', async () => {
  const { put, read, run, undo } = await desk();
  await put('a.txt', '0');
  await run(calls(1, write('a.txt', '1')));
  await run(calls(2, ['list_dir', { path: '.' }]));
  await run(calls(3, write('a.txt', '2')));
  for (const text of ['1', '0']) {
    await undo.undo();
    expect(await read('a.txt')).toBe(text);
  }
  await expect(undo.undo()).rejects.toThrow('There is no change of a file to undo.');
  for (const text of ['1', '2']) {
    await undo.redo();
    expect(await read('a.txt')).toBe(text);
  }
});

test('a file that was changed since is left alone and named; the others are put back', async () => {
  const { put, read, run, undo, notice } = await desk();
  await run(calls(1, write('a.txt', 'a'), write('b.txt', 'b')));
  await put('a.txt', 'mine');
  await undo.undo();
  expect(await read('a.txt')).toBe('mine');
  expect(await read('b.txt')).toBeUndefined();
  expect(notice()?.message).toBe('Undone: b.txt.\na.txt was left alone: it was changed since.');
});

test('where nothing can be put back, nothing is written down, and the next try is the same', async () => {
  const { put, read, run, undo, notice } = await desk();
  await run(calls(1, write('a.txt', 'a')));
  await put('a.txt', 'mine');
  await expect(undo.undo()).rejects.toThrow('Nothing was put back.\na.txt was left alone');
  expect(notice()).toBeUndefined();
  await put('a.txt', 'a');
  await undo.undo();
  expect(await read('a.txt')).toBeUndefined();
});

test('commands and moves are named as what cannot be undone', async () => {
  const { run, undo, notice } = await desk();
  await run(calls(1, ['bash', { command: 'echo x > x.txt' }]));
  await expect(undo.undo()).rejects.toThrow('commands or moves');
  await run(
    calls(
      2,
      write('a.txt', 'a'),
      ['move', { source: 'x.txt', destination: 'y.txt' }],
      ['bash', { command: 'ls' }],
    ),
  );
  await undo.undo();
  expect(notice()?.message).toMatch(/^Undone: a\.txt\.\nNot undone: move x\.txt.*\.\nNot undone: bash ls\.$/);
});

test('what an earlier window has changed is said, and not undone', async () => {
  const { run, undo, previews, read } = await desk();
  await run(calls(1, write('a.txt', 'a')));
  previews.clear();
  await expect(undo.undo()).rejects.toThrow('before the window was loaded');
  expect(await read('a.txt')).toBe('a');
});

test('a byte order mark stays', async () => {
  const { put, bytes, run, undo } = await desk();
  const marked = Buffer.from('\uFEFFone', 'utf16le');
  await put('a.txt', marked);
  await run(calls(1, write('a.txt', 'two')));
  await undo.undo();
  expect(await bytes('a.txt')).toEqual(marked);
});

test('while a run is on, nothing is undone', async () => {
  const { session, run, undo } = await desk();
  let refused: Promise<unknown> | undefined;
  session.subscribe({ onDelta: () => (refused = expect(undo.undo()).rejects.toThrow('A run is on')) });
  await run();
  await refused;
  expect(refused).toBeDefined();
});
