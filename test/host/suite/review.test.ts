// Review in the editor: what can be decided, and what becomes of file, log and model.
import assert from 'node:assert/strict';
import { readFile, rename, stat, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import { withClaude } from './claude.ts';
import { closeEditors, makeFile, show, typeInto, undoAndSave, withUserSetting } from './files.ts';
import { eventually, test } from './runner.ts';

interface RunResult {
  readonly session: string;
}

const ask = (prompt: string) => vscode.commands.executeCommand<RunResult>('harness.ask', prompt);
const run = (command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand(`harness.${command}`, ...args);
const SAYS: ScriptedReply = { blocks: [{ type: 'text', text: 'Done.' }] };
const textOf = (path: string) => readFile(path, 'utf8');

function calls(name: string, input: object): ScriptedReply {
  return { blocks: [{ type: 'tool_use', name, input } as never] };
}

async function logOf(session: string): Promise<string> {
  return textOf(join(process.env.HARNESS_HOME ?? '', 'sessions', session, 'events.jsonl'));
}

/** What stands above the hunks of a file. */
async function hintsOf(path: string): Promise<string[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    vscode.Uri.file(path),
  );
  const ours = lenses.filter(({ command }) => command?.title.startsWith('run '));
  return ours.map(({ range, command }) => `${range.start.line + 1}: ${command?.title}`);
}

/** Puts the cursor over lines `first` to `last`, from 1. */
async function select(path: string, first: number, last = first): Promise<vscode.TextEditor> {
  const editor = await show(path);
  editor.selection = new vscode.Selection(first - 1, 0, last - 1, 1);
  return editor;
}

/** A session in which the agent has made `after` of a file with `before`. */
async function changed(
  before: string,
  after: string,
  body: (at: { path: string; session: string; requests: () => string }) => Promise<void>,
): Promise<void> {
  const path = await makeFile('reviewed.txt', before);
  const replies = [calls('read', { path }), calls('write', { path, content: after }), SAYS, SAYS];
  await withUserSetting('harness.permissions.mode', 'bypass', () =>
    withClaude(replies, async (claude) => {
      await run('newSession');
      const { session } = await ask('Change it');
      await body({ path, session, requests: () => JSON.stringify(claude.requests.at(-1)) });
      assert.deepEqual(claude.violations, []);
    }),
  );
  await closeEditors();
}

test('review: a line is rejected, a hunk accepted, and the model is told of the line', () =>
  changed('one\ntwo\nthree\n', 'ONE\ntwo\nthree\nfour\nfive\n', async ({ path, session, requests }) => {
    await show(path);
    assert.deepEqual(await hintsOf(path), ['1: run 1, call 2', '4: run 1, call 2']);
    await select(path, 5);
    await run('rejectLine');
    assert.equal(await textOf(path), 'ONE\ntwo\nthree\nfour\n');
    await select(path, 1);
    await run('acceptHunk');
    assert.deepEqual(await hintsOf(path), ['4: run 1, call 2']);
    assert.match(await logOf(session), /"type":"reviewed"/);
    await ask('Go on');
    assert.match(requests(), /line 5, added by you, is removed: five/);
    assert.doesNotMatch(requests(), /removed: four/);
  }));

test('review: a rejection is undone by the editor, and the lines wait again', () =>
  changed('one\n', 'one\ntwo\n', async ({ path }) => {
    await select(path, 2);
    await run('rejectHunk');
    assert.equal(await textOf(path), 'one\n');
    assert.deepEqual(await hintsOf(path), []);
    assert.equal(String(await undoAndSave(path)), 'one\ntwo\n');
    await eventually('it waits again', async () => (await hintsOf(path)).length === 1);
  }));

test('review: what the user has typed beside it stays, unsaved or not', () =>
  changed('one\ntwo\n', 'one\nTWO\n', async ({ path }) => {
    await typeInto(path, 'mine\n');
    assert.deepEqual(await hintsOf(path), ['3: run 1, call 2']);
    await run('rejectFile', vscode.Uri.file(path));
    assert.equal(await textOf(path), 'mine\none\ntwo\n');
    await assert.rejects(async () => run('rejectFile', vscode.Uri.file(path)), /has changed in the meantime/);
  }));

test('review: what was decided holds when the session is opened again', () =>
  changed('one\ntwo\nthree\n', 'ONE\ntwo\nTHREE\n', async ({ path, session }) => {
    await select(path, 1);
    await run('acceptHunk');
    await run('newSession');
    await eventually('no session, no hints', async () => (await hintsOf(path)).length === 0);
    await run('timeTravel', { session });
    await run('backToNow');
    await eventually('the other hunk waits', async () => (await hintsOf(path)).join() === '3: run 1, call 2');
    await run('rejectAll');
    assert.equal(await textOf(path), 'ONE\ntwo\nthree\n');
    await assert.rejects(async () => run('rejectAll'), /no changes to review here/);
  }));

test('review: a file that is open by a path with a link in it is decided on, and seen as it was, like any other', () =>
  changed('one\ntwo\n', 'ONE\ntwo\n', async ({ path, session }) => {
    const link = `${dirname(path)}-link`;
    await symlink(dirname(path), link);
    const linked = join(link, basename(path));
    await show(linked);
    await eventually('it has its hint', async () => (await hintsOf(linked)).join() === '1: run 1, call 2');
    const past = vscode.Uri.file(linked).with({ scheme: 'harness-at', query: `session=${session}&seq=1` });
    assert.equal((await vscode.workspace.openTextDocument(past)).getText(), 'one\ntwo\n');
    await run('rejectFile', vscode.Uri.file(linked));
    assert.equal(await textOf(path), 'one\ntwo\n');
    await unlink(link);
  }));

test('review: what is in a folder that is deleted waits no more, and comes back with it', () =>
  changed('one\n', 'two\n', async ({ path }) => {
    const aside = `${dirname(path)}-aside`;
    await eventually('it waits', async () => (await hintsOf(path)).length === 1);
    await rename(dirname(path), aside);
    const waits = () =>
      run('nextChange').then(
        () => true,
        (error: Error) => !/no changes to review here/.test(error.message),
      );
    await eventually('nothing waits', async () => !(await waits()));
    await rename(aside, dirname(path));
    await eventually('it waits again', waits);
    assert.equal((await hintsOf(path)).length, 1);
    await run('acceptAll');
  }));

test('review: all files stand beside what is accepted of them, and the next change is gone to', () =>
  changed('one\n', 'one\ntwo\n', async ({ path }) => {
    await run('reviewChanges');
    await eventually('the multi-diff editor is open', () =>
      vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.label.startsWith('Changes by Harness')),
    );
    const base = vscode.Uri.file(path).with({ scheme: 'harness-base' });
    assert.equal((await vscode.workspace.openTextDocument(base)).getText(), 'one\n');
    await run('nextChange');
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
    await run('acceptFile');
    await eventually('nothing waits', async () => (await hintsOf(path)).length === 0);
  }));

test('review: when the tab that it was about is closed, it is about the side bar again', () =>
  changed('one\n', 'one\ntwo\n', async ({ path }) => {
    await run('openInEditor');
    await run('reviewChanges');
    await closeEditors();
    await show(path);
    assert.deepEqual(await hintsOf(path), ['2: run 1, call 2']);
    await run('acceptFile', vscode.Uri.file(path));
    assert.deepEqual(await hintsOf(path), []);
    await assert.rejects(async () => run('acceptAll'), /no changes to review here/);
  }));

test('review: who wrote a line is told where the mouse rests on it', () =>
  changed('one\n', 'one\ntwo\n', async ({ path }) => {
    const hoverAt = async (line: number) => {
      const uri = vscode.Uri.file(path);
      const at = new vscode.Position(line, 1);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        at,
      );
      return JSON.stringify(
        hovers.flatMap(({ contents }) => contents).map((each) => (each as vscode.MarkdownString).value),
      );
    };
    assert.match(await hoverAt(1), /Harness: run 1, call 2, write, “Change it”/);
    assert.doesNotMatch(await hoverAt(0), /Harness/);
  }));

test('review: a new file that is rejected is gone', async () => {
  const path = join((await makeFile('beside.txt', '')).replace('beside.txt', 'new.txt'));
  await withUserSetting('harness.permissions.mode', 'bypass', () =>
    withClaude([calls('write', { path, content: 'a\nb\n' }), SAYS], async () => {
      await run('newSession');
      await ask('Write it');
      await run('rejectAll');
      await assert.rejects(stat(path), /ENOENT/);
    }),
  );
});

test('review: what a command has changed is rejected like an edit', async () => {
  const path = await makeFile('by-command.txt', 'one\ntwo\n');
  const command = `sed -i 's/two/TWO/' '${path}' && echo three >> '${path}'`;
  await withUserSetting('harness.permissions.mode', 'bypass', () =>
    withClaude([calls('bash', { command }), SAYS], async () => {
      await run('newSession');
      await ask('Run it');
      await select(path, 2);
      await eventually('it waits', async () => (await hintsOf(path)).join() === '2: run 1, call 1');
      await run('rejectLine');
      assert.equal(await textOf(path), 'one\ntwo\nthree\n');
      await run('rejectFile');
      assert.equal(await textOf(path), 'one\ntwo\n');
    }),
  );
  await closeEditors();
});

test('review: what commands write to where nobody looks is not listed', async () => {
  const path = await makeFile('.gitignore', 'ignored/\n');
  const folder = path.replace('.gitignore', '');
  const command = `cd '${folder}' && mkdir ignored && echo a > ignored/made.txt && echo b > made.txt`;
  await withUserSetting('harness.permissions.mode', 'bypass', () =>
    withClaude([calls('bash', { command }), SAYS], async () => {
      await run('newSession');
      await ask('Build it');
      await run('rejectAll');
      await assert.rejects(stat(join(folder, 'made.txt')), /ENOENT/);
      assert.equal(await textOf(join(folder, 'ignored/made.txt')), 'a\n');
    }),
  );
});
