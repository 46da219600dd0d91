// The open file and the selection, from real editors into the request to the model.
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { SharedFile } from '../../../extension/protocol/composer-messages.ts';
import { EditorInFront } from '../../../extension/vscode/mentions/editor-in-front.ts';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import type { FakeAnthropic } from '../../../scripts/lib/claude/fake-anthropic.ts';
import { withClaude } from './claude.ts';
import { closeEditors, makeFile, makeFolder, show, withUserSetting } from './files.ts';
import { eventually, test } from './runner.ts';

const says = (text: string): ScriptedReply => ({ blocks: [{ type: 'text', text }] });

/** The newest context about the editor that the model has got. */
async function told(claude: FakeAnthropic, prompt: string): Promise<string> {
  await vscode.commands.executeCommand('harness.ask', prompt);
  const raw = claude.requests.at(-1)?.raw ?? '';
  return raw.slice(raw.lastIndexOf('<editor_context>'), raw.lastIndexOf('</editor_context>'));
}

function select(editor: vscode.TextEditor, first: number, last: number): void {
  editor.selection = new vscode.Selection(first - 1, 0, last - 1, Number.MAX_SAFE_INTEGER);
}

test('open file: its lines in view and the selected text reach the request, and nothing does when it is off', () =>
  withClaude([says('1'), says('2'), says('3')], async (claude) => {
    await vscode.commands.executeCommand('harness.newSession');
    const path = await makeFile('shown.ts', 'one\ntwo\nthree\nfour\n');
    select(await show(path), 2, 3);
    const first = await told(claude, 'Hello');
    assert.match(first, /In view: [^"]*shown\.ts:1-\d/);
    assert.match(first, /Selected: [^"]*shown\.ts:2-3\\n<selection>\\ntwo\\nthree\\n<\/selection>/);
    await withUserSetting('harness.context.openFile', false, async () => {
      select(await show(await makeFile('hidden.ts', 'nobody reads this')), 1, 1);
      assert.match(await told(claude, 'And now?'), /no file is shared/);
      assert.ok(!JSON.stringify(claude.requests.at(-1)).includes('nobody reads this'));
      assert.ok(!JSON.stringify(claude.requests.at(-1)).includes('hidden.ts:'));
    });
    assert.match(await told(claude, 'Again'), /hidden\.ts/);
    assert.deepEqual(claude.violations, []);
    await closeEditors();
  }));

test('open file: no private file is shared, also not through a link', async () => {
  const editor = new EditorInFront();
  try {
    const folder = await makeFolder();
    const secret = join(folder, '.ssh', 'config');
    await mkdir(dirname(secret));
    await writeFile(secret, 'Host secret');
    await symlink(secret, join(folder, 'innocent.txt'));
    for (const path of [secret, join(folder, 'innocent.txt')]) {
      await show(path);
      assert.equal(await editor.openFile(), undefined, path);
    }
    await show(await makeFile('.env', 'KEY=1'));
    assert.equal(await editor.openFile(), undefined);
  } finally {
    editor.dispose();
    await closeEditors();
  }
});

test('open file: the panel hears of another file and another selection, until it stops to watch', async () => {
  const editor = new EditorInFront();
  const heard: (SharedFile | null)[] = [];
  const watch = editor.watch((file) => heard.push(file));
  try {
    const shown = await show(await makeFile('watched.ts', 'one\ntwo\nthree\n'));
    await eventually('the file is heard of', () => heard.at(-1)?.name === 'watched.ts');
    assert.equal(heard.at(-1)?.lines, undefined);
    select(shown, 2, 3);
    await eventually('the selection is heard of', () => heard.at(-1)?.lines?.last === 3);
    assert.deepEqual(heard.at(-1)?.lines, { first: 2, last: 3 });
    await vscode.workspace.openTextDocument({ content: 'unsaved' }).then(vscode.window.showTextDocument);
    await eventually('the unsaved one is heard of', () => /^Untitled/.test(heard.at(-1)?.name ?? ''));
    await closeEditors();
    await eventually('no file is left', () => heard.at(-1) === null);
    watch.dispose();
    const { length } = heard;
    await show(await makeFile('later.ts', ''));
    assert.equal((await editor.openFile())?.path.endsWith('later.ts'), true);
    assert.equal(heard.length, length);
  } finally {
    watch.dispose();
    editor.dispose();
    await closeEditors();
  }
});

test('open file: an editor beside a panel that has the focus is still the one in front', async () => {
  const editor = new EditorInFront();
  const path = await makeFile('beside.ts', 'one\n');
  await show(path);
  const tab = vscode.window.createWebviewPanel('test.beside', 'Beside', vscode.ViewColumn.Beside, {});
  try {
    await eventually('the tab has the focus', () => vscode.window.activeTextEditor === undefined);
    assert.equal((await editor.openFile())?.path, path);
  } finally {
    tab.dispose();
    editor.dispose();
    await closeEditors();
  }
});
