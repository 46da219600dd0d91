// Time travel: the files of a point in time, and forks that go on from it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { pastUri } from '../../../extension/vscode/panel/past-documents.ts';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import { withClaude } from './claude.ts';
import { closeEditors, makeFolder, makeOutsideFolder, withUserSetting, workspace } from './files.ts';
import { eventually, test } from './runner.ts';

const call = (name: string, input: object): ScriptedReply => ({
  blocks: [{ type: 'tool_use', name, input }],
});
const run = <Result>(command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand<Result>(`harness.${command}`, ...args);

interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  readonly session: string;
  readonly forkedFrom?: { readonly session: string; readonly seq: number };
  readonly cwd?: string;
}

async function eventsOf(session: string): Promise<StoredEvent[]> {
  const log = join(process.env.HARNESS_HOME ?? '', 'sessions', session, 'events.jsonl');
  return (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A session in which these calls were made without questions, and its changes of files, by their numbers. */
async function perform(...calls: readonly ScriptedReply[]): Promise<{ session: string; changes: number[] }> {
  let session = '';
  await withUserSetting('harness.permissions.mode', 'bypass', () =>
    withClaude([...calls, { blocks: [{ type: 'text', text: 'Done.' }] }], async (claude) => {
      await run('newSession');
      const ended = await run<{ session: string; reason: string }>('ask', 'Go on');
      assert.equal(ended.reason, 'done', JSON.stringify((await eventsOf(ended.session)).slice(-8)));
      assert.deepEqual(claude.violations, []);
      ({ session } = ended);
    }),
  );
  const changes = (await eventsOf(session)).filter(({ type }) => type === 'files_changed');
  return { session, changes: changes.map(({ seq }) => seq) };
}

const write = (path: string, content: string) => call('write', { path, content });
const textAt = async (path: string, session: string, seq: number) =>
  (await vscode.workspace.openTextDocument(pastUri({ path, session, seq }))).getText();

test('timeline: a file is read as it was at each event, in its language, also where a command has changed it', async () => {
  const folder = await makeFolder();
  const path = join(folder, 'made.ts');
  const { session, changes } = await perform(
    write(path, 'const one = 1;\n'),
    write(path, 'const two = 2;\n'),
    call('bash', { command: `printf 'const three = 3;\\n' > '${path}'` }),
  );
  const [first = 0, second = 0, third = 0] = changes;
  await assert.rejects(textAt(path, session, first - 1), /did not exist after event/);
  assert.equal(await textAt(path, session, first), 'const one = 1;\n');
  assert.equal(await textAt(path, session, second), 'const two = 2;\n');
  assert.equal(await textAt(path, session, third - 1), 'const two = 2;\n');
  assert.equal(await textAt(path, session, third), 'const three = 3;\n');
  await writeFile(path, 'by hand\n');
  assert.equal(await textAt(path, session, third), 'const three = 3;\n');
  const address = vscode.Uri.parse(`harness-at:${path}?session=${session}&seq=${second}`);
  const document = await vscode.workspace.openTextDocument(address);
  assert.equal(document.getText(), 'const two = 2;\n');
  assert.equal(document.languageId, 'typescript');
  await rm(folder, { recursive: true });
});

test('timeline: encodings, files that are no text and files that were never changed', async () => {
  const folder = await makeFolder();
  const [latin, binary, other] = ['latin.txt', 'binary.bin', 'other.txt'].map((name) => join(folder, name));
  assert.ok(latin && binary && other);
  await writeFile(latin, Buffer.from('café\n', 'latin1'));
  await writeFile(binary, Uint8Array.of(1, 0, 2));
  await writeFile(other, 'current content');
  await withUserSetting('files.encoding', 'iso88591', async () => {
    const { session, changes } = await perform(call('read', { path: latin }), write(latin, 'thé\n'));
    const seq = changes[0] ?? 0;
    assert.equal(await textAt(latin, session, seq - 1), 'café\n');
    assert.equal(await textAt(latin, session, seq), 'thé\n');
    assert.match(await textAt(binary, session, seq), /binary\.bin is not a text file \(3 bytes\)/);
    assert.equal(await textAt(other, session, seq), 'current content');
  });
  await rm(folder, { recursive: true });
});

test('timeline: commands go to an event, step, compare a file with now, and go back', async () => {
  const folder = await makeFolder();
  const path = join(folder, 'a.txt');
  const { session, changes } = await perform(write(path, 'one\n'), write(path, 'two\n'));
  const [first = 0] = changes;
  assert.deepEqual(await run('timeTravel', { session, seq: first }), { session, seq: first });
  await assert.rejects(async () => run('timeTravel', { session, seq: 100_000 }), /has no event 100000/);
  await assert.rejects(async () => run('showFilesThen', { session, seq: 100_000 }), /no event 100000/);
  await assert.rejects(async () => run('showFilesThen', { session: 'nobody', seq: 1 }));
  await assert.rejects(async () => run('forkSession', { session, seq: 1, worktree: 'yes' }), /worktree: /);
  await assert.rejects(
    async () => run('restoreCheckpoint', { session, seq: 'x' }),
    /argument for this command: seq: /,
  );
  for (const query of [`session=${session}`, `session=${session}&seq=x`, `session=${session}&seq=100000`])
    await assert.rejects(
      async () => vscode.workspace.openTextDocument(vscode.Uri.parse(`harness-at:${path}?${query}`)),
      /no event/,
    );
  await run('compareWithNow', vscode.Uri.file(path));
  const tab = await eventually('a diff is open', () => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    return input instanceof vscode.TabInputTextDiff && input;
  });
  assert.equal(tab.original.toString(), pastUri({ path, session, seq: first }, true).toString());
  assert.equal((await vscode.workspace.openTextDocument(tab.original)).getText(), 'one\n');
  assert.equal(tab.modified.toString(), vscode.Uri.file(path).toString());
  await run('stepForward');
  await run('stepBack');
  await run('backToNow');
  await run('showTimeline');
  await run('hideTimeline');
  await closeEditors();
  await rm(folder, { recursive: true });
});

/** What “Show Context” shows of event `seq`, as soon as it matches. */
async function contextAt(session: string, seq: number, wanted: RegExp): Promise<string> {
  await run('timeTravel', { session, seq });
  await run('showContext');
  const text = await eventually(`the context with ${wanted} is shown`, () =>
    vscode.window.visibleTextEditors
      .filter(({ document }) => document.uri.path.includes(`Event ${seq}.`))
      .map(({ document }) => document.getText())
      .find((shown) => wanted.test(shown)),
  );
  await run('backToNow');
  await closeEditors();
  return text;
}

test('timeline: the context of a point in time has the system prompt and the tools with which the model was asked', async () => {
  const said: ScriptedReply = { blocks: [{ type: 'text', text: 'Done.' }] };
  let system = '';
  const asked: { session: string; request: number }[] = [];
  for (const language of ['French', 'German'])
    await withUserSetting('harness.systemPrompt', `Speak ${language}.`, () =>
      withClaude([said], async (claude) => {
        await run('newSession');
        const { session } = await run<{ session: string }>('ask', 'Go on');
        const start = (await eventsOf(session)).find(({ type }) => type === 'request_started');
        asked.push({ session, request: start?.seq ?? 0 });
        system = JSON.stringify(claude.requests.at(-1)?.body.system);
      }),
    );
  assert.match(system, /Speak German\./);
  for (const [index, { session, request }] of asked.entries()) {
    const text = await contextAt(session, request, index === 0 ? /Speak French\./ : /Speak German\./);
    assert.match(text, /^-+\nModel\n-+\n\nanthropic\/[^\n]+\n\n-/);
    assert.match(text, /Tool: bash/);
    assert.doesNotMatch(text, /would be asked/);
    await contextAt(session, 1, /No model had been asked yet\./);
    await rm(join(process.env.HARNESS_HOME ?? '', 'sessions', session, 'blobs'), { recursive: true });
    await contextAt(session, request, /those from that point are not stored\./);
  }
});

test('timeline: a fork from any event is another session, and the first one is as it was', async () => {
  const folder = await makeFolder();
  const { session, changes } = await perform(write(join(folder, 'a.txt'), 'one\n'));
  const before = await eventsOf(session);
  const seq = changes[0] ?? 0;
  const fork = await run<{ session: string }>('forkSession', { session, seq });
  const events = await eventsOf(fork.session);
  assert.deepEqual(events[0]?.forkedFrom, { session, seq: seq + 1 });
  assert.deepEqual(
    events.slice(1, seq).map(({ type }) => type),
    before.slice(1, seq).map(({ type }) => type),
  );
  assert.equal(events.filter(({ type }) => type === 'tool_result').length, 1);
  assert.deepEqual(await eventsOf(session), before);
  await rm(folder, { recursive: true });
});

test('timeline: a fork with the files of then is in a worktree; nothing of the repository is run or touched', async () => {
  const root = workspace.roots[0]?.path ?? '';
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  const canary = join(await makeOutsideFolder(), 'ran');
  const path = join(root, 'tracked.txt');
  const made: string[] = [];
  try {
    git('init', '-q');
    await writeFile(path, 'committed\n');
    git('add', 'tracked.txt');
    git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'x');
    // VS Code's own Git would run most others.
    await writeFile(join(root, '.git', 'hooks', 'post-checkout'), `#!/bin/sh\ntouch ${canary}\n`, {
      mode: 0o755,
    });
    const { session, changes } = await perform(
      call('read', { path }),
      write(path, 'first\n'),
      write(join(root, 'new.txt'), 'new\n'),
      write(path, 'second\n'),
    );
    const at = changes[1] ?? 0;
    const fork = await run<{ session: string; worktree: string }>('forkSession', {
      session,
      seq: at,
      worktree: true,
    });
    made.push(fork.worktree);
    assert.equal(dirname(fork.worktree), dirname(root));
    assert.ok(basename(fork.worktree).startsWith(basename(root)));
    assert.equal(await readFile(join(fork.worktree, 'tracked.txt'), 'utf8'), 'first\n');
    assert.equal(await readFile(join(fork.worktree, 'new.txt'), 'utf8'), 'new\n');
    assert.equal(await readFile(path, 'utf8'), 'second\n');
    assert.equal(git('diff', '--cached', '--name-only'), '');
    await assert.rejects(access(canary), 'a hook was run');
    const [begin] = await eventsOf(fork.session);
    assert.equal(begin?.cwd, fork.worktree);
    assert.match(JSON.stringify(await eventsOf(fork.session)), /in a copy of the repository/);
  } finally {
    for (const folder of made) await rm(folder, { recursive: true, force: true });
    for (const name of ['.git', 'tracked.txt', 'new.txt'])
      await rm(join(root, name), { recursive: true, force: true });
  }
});

test('timeline: without a repository there is no worktree, and it says so', async () => {
  const { session } = await perform();
  await assert.rejects(
    async () => run('forkSession', { session, seq: 3, worktree: true }),
    /not in a Git repository/,
  );
});
