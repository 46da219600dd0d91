// Undo in the editor: exact bytes whatever VS Code makes of what it saves, and no text of the user lost.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import { withClaude } from './claude.ts';
import { closeEditors, makeFile, show, typeInto, withUserSetting } from './files.ts';
import { eventually, test } from './runner.ts';

interface Restored {
  readonly session: string;
  readonly message: string;
  readonly fork?: string;
  readonly files: readonly { readonly path: string; readonly outcome?: string; readonly step?: string }[];
}

const DONE: ScriptedReply = { blocks: [{ type: 'text', text: 'Done.' }] };
const call = (name: string, input: object): ScriptedReply => ({
  blocks: [{ type: 'tool_use', name, input }],
});
const run = <Result>(command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand<Result>(`harness.${command}`, ...args);
const onDisk = (path: string) => readFile(path, 'utf8').catch(() => undefined);

function overwrittenPath(block: NonNullable<ScriptedReply['blocks']>[number]): string[] {
  if (block.type !== 'tool_use' || block.name !== 'write' || typeof block.input === 'string') return [];
  const { path } = block.input as { readonly path?: string };
  return path !== undefined && existsSync(path) ? [path] : [];
}

/** A reply that reads the files that `calls` overwrite, because a model may only overwrite what it has read. */
function readsBefore(calls: readonly ScriptedReply[]): ScriptedReply[] {
  const paths = calls.flatMap(({ blocks = [] }) => blocks).flatMap(overwrittenPath);
  const reads = paths.map((path) => ({ type: 'tool_use', name: 'read', input: { path } }) as const);
  return reads.length > 0 ? [{ blocks: reads }] : [];
}

/** A run of these calls, in a session of its own, without questions. Resolves with the session's id. */
async function perform(...calls: readonly ScriptedReply[]): Promise<string> {
  let session = '';
  await withUserSetting('harness.permissions.mode', 'bypass', () =>
    withClaude([...readsBefore(calls), ...calls, DONE], async (claude) => {
      await run('newSession');
      const ended = await run<{ session: string; reason: string }>('ask', 'Go on');
      assert.equal(ended.reason, 'done');
      assert.deepEqual(claude.violations, []);
      session = ended.session;
    }),
  );
  return session;
}

const eventsOf = async (session: string) =>
  (await readFile(join(process.env.HARNESS_HOME ?? '', 'sessions', session, 'events.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; type: string; toModel?: string });

const outcomes = ({ files }: Restored) => files.map(({ path, outcome }) => [basename(path), outcome]);

test('undo: the exact bytes come back under a formatter, and what it had made of the change', async () => {
  const path = await makeFile('shown.harnesstest', 'one\n');
  const formatter = vscode.languages.registerDocumentFormattingEditProvider(
    { pattern: '**/*.harnesstest' },
    {
      provideDocumentFormattingEdits(document) {
        const all = new vscode.Range(0, 0, document.lineCount, 0);
        return [vscode.TextEdit.replace(all, document.getText().toUpperCase())];
      },
    },
  );
  await withUserSetting('editor.formatOnSave', true, async () => {
    await show(path);
    await perform(call('write', { path, content: 'two\n' }));
    assert.equal(await onDisk(path), 'TWO\n');
    assert.deepEqual(outcomes(await run('undo')), [['shown.harnesstest', 'identical']]);
    assert.equal(await onDisk(path), 'one\n');
    assert.deepEqual(outcomes(await run('redoCheckpoint')), [['shown.harnesstest', 'identical']]);
    assert.equal(await onDisk(path), 'TWO\n');
  });
  formatter.dispose();
  await closeEditors();
});

test('undo: unsaved text is kept in its editor, joined with what is restored, and the editor undoes that', async () => {
  const path = await makeFile('typed.txt', 'one\ntwo\nthree\nfour\n');
  await perform(call('write', { path, content: 'one\ntwo\nthree\nFOUR\n' }));
  const document = await typeInto(path, 'typed ');
  const restored = await run<Restored>('undo');
  assert.deepEqual(outcomes(restored), [['typed.txt', 'merged']]);
  assert.equal(document.getText(), 'typed one\ntwo\nthree\nfour\n');
  assert.equal(await onDisk(path), 'typed one\ntwo\nthree\nfour\n');
  await show(path);
  const { version } = document;
  await vscode.commands.executeCommand('undo');
  await eventually('the editor has undone it', () => document.version > version);
  assert.equal(document.getText(), 'typed one\ntwo\nthree\nFOUR\n');
  await closeEditors();
});

test('undo: what is saved while it runs, in an editor or by another program, is not overwritten', async () => {
  const path = await makeFile('first.txt', 'one\n');
  const beside = (name: string) => join(dirname(path), name);
  const [second, third, fourth] = [
    beside('second.txt'),
    beside('third.txt'),
    beside('zero-new.txt'),
  ] as const;
  for (const each of [second, third]) await writeFile(each, 'one\n');
  const written = [path, second, third, fourth].map((each) =>
    call('write', { path: each, content: 'two\n' }),
  );
  await perform(...written);
  const document = await vscode.workspace.openTextDocument(third);
  await vscode.window.showTextDocument(document);
  // The save waits for what happens meanwhile, so the restore comes to the other files after that.
  const listening = vscode.workspace.onWillSaveTextDocument((saving) => {
    if (saving.document.uri.fsPath !== path) return;
    for (const each of [second, fourth]) writeFileSync(each, 'mine\n');
    const typed = new vscode.WorkspaceEdit();
    typed.insert(document.uri, new vscode.Position(0, 0), 'mine ');
    saving.waitUntil(vscode.workspace.applyEdit(typed));
  });
  const restored = await run<Restored>('undo');
  listening.dispose();
  assert.deepEqual(outcomes(restored), [
    ['first.txt', 'identical'],
    ['second.txt', 'failed'],
    ['third.txt', 'failed'],
    ['zero-new.txt', 'failed'],
  ]);
  assert.match(restored.message, /it has just changed/);
  assert.equal(await onDisk(path), 'one\n');
  assert.equal(await onDisk(second), 'mine\n');
  assert.equal(document.getText(), 'mine two\n');
  assert.equal(await onDisk(fourth), 'mine\n');
  await closeEditors();
});

test('undo: text that the user has typed over a change is left alone, and said to be so', async () => {
  const path = await makeFile('over.txt', 'one\n');
  const other = join(dirname(path), 'other.txt');
  await perform(call('write', { path, content: 'two\n' }), call('write', { path: other, content: 'new' }));
  const document = await typeInto(path, 'mine ');
  const restored = await run<Restored>('undo');
  assert.deepEqual(outcomes(restored), [
    ['other.txt', 'identical'],
    ['over.txt', 'kept'],
  ]);
  assert.match(restored.message, /^1 file identical to checkpoint: .*other\.txt\.\n.*over\.txt was skipped/);
  assert.equal(document.getText(), 'mine two\n');
  assert.equal(document.isDirty, true);
  assert.equal(await onDisk(other), undefined);
  await closeEditors();
});

test('undo: a dry run tells of every path and changes nothing; files and conversation go back, and return', async () => {
  const path = await makeFile('both.txt', 'one');
  const made = join(dirname(path), 'deep', 'made.txt');
  const session = await perform(
    call('write', { path, content: 'two' }),
    call('write', { path: made, content: 'made' }),
    call('bash', { command: 'true' }),
  );
  const dry = await run<Restored>('restoreCheckpoint', { session, seq: 1, dryRun: true });
  assert.deepEqual(
    dry.files.map((file) => [basename(file.path), file.step]),
    [
      ['both.txt', 'restore'],
      ['deep', 'restore'],
      ['made.txt', 'restore'],
    ],
  );
  assert.equal(await onDisk(path), 'two');
  const restored = await run<Restored>('restoreCheckpoint', { session, seq: 1, scope: 'both' });
  assert.equal(await onDisk(path), 'one');
  assert.equal(await onDisk(made), undefined);
  assert.match(restored.message, /^2 files identical to checkpoint.*\n1 folder identical/);
  assert.ok(restored.fork && restored.fork !== session);
  const redone = await run<Restored>('redoCheckpoint');
  assert.equal(redone.session, session);
  assert.equal(await onDisk(path), 'two');
  assert.equal(await onDisk(made), 'made');
  await assert.rejects(async () => run('redoCheckpoint'), /There is nothing to redo/);
});

test('undo: the conversation alone goes back and returns; files stay, and so does what undo would do', async () => {
  const path = await makeFile('stays.txt', 'one');
  const session = await perform(call('write', { path, content: 'two' }));
  const order = { session, seq: 1, scope: 'conversation' };
  assert.deepEqual((await run<Restored>('restoreCheckpoint', { ...order, dryRun: true })).files, []);
  const { fork, files } = await run<Restored>('restoreCheckpoint', order);
  assert.deepEqual(files, []);
  assert.ok(fork && fork !== session);
  const redone = await run<Restored>('redoCheckpoint');
  assert.equal(redone.session, session);
  assert.equal(await onDisk(path), 'two');
  assert.deepEqual(outcomes(await run('undo')), [['stays.txt', 'identical']]);
  assert.equal(await onDisk(path), 'one');
});

test('undo: what is rejected in the session to which a restore led stays so, and redo goes back all the same', async () => {
  const path = await makeFile('rejected.txt', 'one');
  const made = join(dirname(path), 'made.txt');
  const replies = [
    call('read', { path }),
    call('write', { path, content: 'two' }),
    DONE,
    call('write', { path: made, content: 'made' }),
    DONE,
  ];
  let [session, seq] = ['', 0];
  await withUserSetting('harness.permissions.mode', 'bypass', () =>
    withClaude(replies, async () => {
      await run('newSession');
      session = (await run<{ session: string }>('ask', 'Change it')).session;
      seq = (await eventsOf(session)).at(-1)?.seq ?? 0;
      await run('ask', 'Go on');
    }),
  );
  await run('restoreCheckpoint', { session, seq, scope: 'both' });
  assert.deepEqual([await onDisk(path), await onDisk(made)], ['two', undefined]);
  await run('rejectFile', vscode.Uri.file(path));
  assert.equal(await onDisk(path), 'one');
  assert.equal((await run<Restored>('redoCheckpoint')).session, session);
  assert.deepEqual([await onDisk(path), await onDisk(made)], ['one', 'made']);
});

test('undo: the model of the new session is told that files are those of now, and which were not put back', async () => {
  const path = await makeFile('told.txt', 'one');
  const mine = join(dirname(path), 'mine.txt');
  await writeFile(mine, 'one');
  const session = await perform(
    call('bash', { command: 'true' }),
    call('write', { path, content: 'two' }),
    call('write', { path: mine, content: 'two' }),
  );
  await writeFile(mine, 'three');
  const events = await eventsOf(session);
  const seq = events.find(({ type }) => type === 'tool_result')?.seq ?? 0;
  const toldIn = async (fork = '') => (await eventsOf(fork)).flatMap(({ toModel }) => toModel ?? []);
  const alone = await run<Restored>('restoreCheckpoint', { session, seq, scope: 'conversation' });
  assert.match(
    (await toldIn(alone.fork)).join('|'),
    /^The user goes on.*The files are as they are now[^|]*$/,
  );
  const both = await run<Restored>('restoreCheckpoint', { session, seq, scope: 'both' });
  const [first, then] = await toldIn(both.fork);
  assert.match(String(first), /The files are as they are now/);
  assert.match(
    String(then),
    /put back to what they were at that point\. These were not put back.*: \S*mine\.txt\./,
  );
});

test('undo: where the files cannot be kept first, nothing is restored, and no session is left over', async () => {
  const made = join(dirname(await makeFile('beside.txt', 'one')), 'made-then.txt');
  const session = await perform(call('write', { path: made, content: 'made' }));
  const sessions = join(process.env.HARNESS_HOME ?? '', 'sessions');
  const blobs = join(sessions, session, 'blobs');
  await rm(blobs, { recursive: true });
  await writeFile(blobs, '');
  const before = await readdir(sessions);
  await assert.rejects(async () => run('restoreCheckpoint', { session, seq: 1, scope: 'both' }));
  assert.deepEqual(
    (await readdir(sessions)).filter((name) => !before.includes(name) && name !== 'deleted'),
    [],
  );
  assert.equal(await onDisk(made), 'made');
});

test('undo: what a command did to a file with unsaved text is not undone behind its back, and why is said', async () => {
  const path = await makeFile('gone.txt', 'one\ntwo\n');
  await typeInto(path, 'typed ');
  await perform(call('bash', { command: `rm '${path}'` }));
  const restored = await run<Restored>('undo');
  assert.deepEqual(outcomes(restored), [['gone.txt', 'failed']]);
  assert.match(restored.message, /it has unsaved changes in an editor/);
  await closeEditors();
});

test('undo: what a command did beside unsaved text is taken back on the disk, with that text', async () => {
  const path = await makeFile('beside.txt', 'one\ntwo\nthree\nfour\n');
  const document = await typeInto(path, 'typed ');
  await perform(call('bash', { command: `sed -i s/four/FOUR/ '${path}'` }));
  const restored = await run<Restored>('undo');
  assert.deepEqual(outcomes(restored), [['beside.txt', 'merged']], restored.message);
  assert.equal(await onDisk(path), 'typed one\ntwo\nthree\nfour\n');
  assert.equal(document.getText(), 'typed one\ntwo\nthree\nfour\n');
  await closeEditors();
});

test('undo: what is on disk alone is restored without an editor, also when it is no text', async () => {
  const path = await makeFile('picture.bin', Buffer.from([0, 1, 2, 255]));
  await perform(call('bash', { command: 'true' }), call('write', { path, content: 'text now' }));
  await writeFile(path, 'text now');
  assert.deepEqual(outcomes(await run('undo')), [['picture.bin', 'identical']]);
  assert.deepEqual([...(await readFile(path))], [0, 1, 2, 255]);
});

test('undo: what is made, renamed and deleted in the Explorer while a command runs stays so', async () => {
  const gone = await makeFile('gone.txt', 'mine\n');
  const root = dirname(gone);
  const at = (name: string) => join(root, name);
  await mkdir(at('old/deep'), { recursive: true });
  await writeFile(at('old/deep/name.txt'), 'mine\n');
  const command = `cd '${root}'; echo x > made; until [ -e go ]; do sleep 0.05; done`;
  const running = perform(call('bash', { command }));
  await eventually('the command runs', async () => (await onDisk(at('made'))) === 'x\n');
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(vscode.Uri.file(gone));
  edit.renameFile(vscode.Uri.file(at('old')), vscode.Uri.file(at('new')));
  edit.createFile(vscode.Uri.file(at('mine')));
  assert.ok(await vscode.workspace.applyEdit(edit));
  await writeFile(at('go'), '');
  await running;
  await run('undo');
  assert.deepEqual((await readdir(root)).sort(), ['mine', 'new']);
  assert.equal(await onDisk(at('new/deep/name.txt')), 'mine\n');
});
