// What extensions edit in other files when the agent moves, makes or deletes one is a change of the call.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { DocumentWatcher } from '../../../extension/vscode/workspace/document-watcher.ts';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import { withClaude } from './claude.ts';
import { closeEditors, makeFolder, typeInto, withUserSetting } from './files.ts';
import { eventually, test } from './runner.ts';

interface Restored {
  readonly message: string;
  readonly files: readonly { readonly path: string; readonly outcome?: string }[];
}

const call = (name: string, input: object): ScriptedReply => ({
  blocks: [{ type: 'tool_use', name, input }],
});
const onDisk = (path: string) => readFile(path, 'utf8').catch(() => undefined);
const undo = () => vscode.commands.executeCommand<Restored>('harness.undo');
const outcomes = ({ files }: Restored) => files.map(({ path, outcome }) => [basename(path), outcome]);
const shown = (path: string) =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path)?.getText();

/** Calls in a session of their own, without questions, in a VS Code that saves nothing of itself. */
async function perform(...calls: readonly ScriptedReply[]): Promise<void> {
  await withUserSetting('files.autoSave', 'off', () =>
    withUserSetting('harness.permissions.mode', 'bypass', () =>
      withClaude([...calls, { blocks: [{ type: 'text', text: 'Done.' }] }], async () => {
        await vscode.commands.executeCommand('harness.newSession');
        await vscode.commands.executeCommand('harness.ask', 'Go on');
      }),
    ),
  );
}

/** As a language server does it: `old` becomes `next` in these files. */
function mending(old: string, next: string, paths: readonly string[]) {
  return async () => {
    const edit = new vscode.WorkspaceEdit();
    for (const path of paths) {
      const document = await vscode.workspace.openTextDocument(path);
      const at = document.getText().indexOf(old);
      const range = new vscode.Range(document.positionAt(at), document.positionAt(at + old.length));
      edit.replace(document.uri, range, next);
    }
    return edit;
  };
}

async function makeModule() {
  const folder = await makeFolder();
  const [from, to, main] = ['a.ts', 'sub/a.ts', 'main.ts'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(from, "import './b';\n");
  // Line ends that no document holds.
  await writeFile(main, "import './a';\r\nuse();\n");
  return { from, to, main };
}

test('accompanying edits: of a file that holds no text by then, what its editor showed counts', async () => {
  const { main } = await makeModule();
  const document = await vscode.workspace.openTextDocument(main);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), '// ');
  const witness = new DocumentWatcher();
  writeFileSync(main, Buffer.from([1, 2, 0, 0, 3, 0, 0, 255]));
  assert.equal(await vscode.workspace.applyEdit(edit), true);
  witness.dispose();
  const [edited] = witness.edited;
  assert.equal(edited?.uri.fsPath, main);
  assert.equal(String(Buffer.from(await edited.before())), document.getText().slice(3));
  await closeEditors();
});

test('accompanying edits: imports that are mended when a file moves are saved, in the log, and undone', async () => {
  const { from, to, main } = await makeModule();
  const server = vscode.workspace.onWillRenameFiles((event) => {
    event.waitUntil(
      Promise.all([mending('./a', './sub/a', [main])(), mending('./b', '../b', [from])()]).then((edits) => {
        const all = new vscode.WorkspaceEdit();
        for (const edit of edits) for (const [uri, texts] of edit.entries()) all.set(uri, texts);
        return all;
      }),
    );
  });
  await perform(call('move', { source: from, destination: to }));
  server.dispose();
  assert.match(String(await onDisk(main)), /^import '.\/sub\/a';/);
  assert.equal(await onDisk(to), "import '../b';\n");
  const restored = await undo();
  assert.deepEqual(new Map(outcomes(restored) as [string, string][]).get('main.ts'), 'identical');
  assert.equal(await onDisk(main), "import './a';\r\nuse();\n");
  assert.equal(await onDisk(from), "import './b';\n");
  assert.equal(await onDisk(to), undefined);
  await closeEditors();
});

test('accompanying edits: beside text that is not saved they stay unsaved, and undo takes them alone back', async () => {
  const { from, to, main } = await makeModule();
  await writeFile(main, "import './a';\nuse();\n");
  const document = await typeInto(main, '// typed\n');
  const server = vscode.workspace.onWillRenameFiles((event) =>
    event.waitUntil(mending('./a', './sub/a', [main])()),
  );
  await perform(call('move', { source: from, destination: to }));
  server.dispose();
  assert.equal(document.isDirty, true);
  assert.equal(document.getText(), "// typed\nimport './sub/a';\nuse();\n");
  await undo();
  assert.equal(shown(main), "// typed\nimport './a';\nuse();\n");
  assert.equal(await onDisk(from), "import './b';\n");
  await closeEditors();
});

test('accompanying edits: those when a file is made count as well, and what is edited otherwise does not', async () => {
  const { from, to, main } = await makeModule();
  const other = join(from, '..', 'other.ts');
  await writeFile(other, 'one\n');
  await mkdir(join(to, '..'));
  const server = vscode.workspace.onWillCreateFiles((event) =>
    event.waitUntil(mending('use();', 'use(sub);', [main])()),
  );
  await perform(call('write', { path: to, content: 'new\n' }));
  server.dispose();
  const document = await typeInto(other, 'typed ');
  await eventually('it is saved', async () => (await onDisk(main))?.includes('use(sub)') === true);
  assert.deepEqual(outcomes(await undo()), [
    ['main.ts', 'identical'],
    ['a.ts', 'identical'],
  ]);
  assert.equal(await onDisk(main), "import './a';\r\nuse();\n");
  assert.equal(document.getText(), 'typed one\n');
  await closeEditors();
});
