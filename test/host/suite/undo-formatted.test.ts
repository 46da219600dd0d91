// What VS Code makes of our texts when it saves them is ours; what the user makes of them is not.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { deleteFile } from '../../../extension/vscode/delete-file.ts';
import { restore } from '../../../extension/vscode/restoration.ts';
import { closeEditors, makeFile, show, withUserSetting, workspace, write } from './files.ts';
import { test } from './runner.ts';

const ports = {
  workspace,
  remove: deleteFile,
  savedAs: (path: string, written: string) => workspace.savedAs(path, written),
};
const putBack = async (path: string, from: string, to: string) =>
  (await restore([{ path, from, to }], ports)).restored.length === 1;

async function withFormatter(body: () => Promise<void>): Promise<void> {
  const formatter = vscode.languages.registerDocumentFormattingEditProvider(
    { pattern: '**/*.harnesstest' },
    {
      provideDocumentFormattingEdits(document) {
        const all = new vscode.Range(0, 0, document.lineCount, 0);
        return [vscode.TextEdit.replace(all, document.getText().toUpperCase())];
      },
    },
  );
  await withUserSetting('editor.formatOnSave', true, body);
  formatter.dispose();
  await closeEditors();
}

test('undo: what the formatter made of a change is put back, and done again', async () => {
  const path = await makeFile('shown.harnesstest', 'one\n');
  await withFormatter(async () => {
    await show(path);
    await write(path, 'two\n');
    assert.equal(await readFile(path, 'utf8'), 'TWO\n');
    assert.equal(await putBack(path, 'two\n', 'one\n'), true);
    assert.equal(await readFile(path, 'utf8'), 'ONE\n');
    assert.equal(await putBack(path, 'one\n', 'two\n'), true);
    assert.equal(await readFile(path, 'utf8'), 'TWO\n');
  });
});

test('undo: a formatted file that was changed since is left alone', async () => {
  const path = await makeFile('changed.harnesstest', 'one\n');
  await withFormatter(async () => {
    await write(path, 'two\n');
    await writeFile(path, 'TWO\nmine\n');
    assert.equal(await putBack(path, 'two\n', 'one\n'), false);
    assert.equal(await readFile(path, 'utf8'), 'TWO\nmine\n');
  });
});

test('undo: what is typed while the file is saved is the user’s', async () => {
  const path = await makeFile('typed.harnesstest', 'one\n');
  await withFormatter(async () => {
    const typing = vscode.workspace.onWillSaveTextDocument((event) => {
      typing.dispose();
      event.waitUntil(Promise.resolve(vscode.commands.executeCommand('type', { text: 'mine ' })));
    });
    await show(path);
    await write(path, 'two\n');
    const saved = await readFile(path, 'utf8');
    assert.match(saved, /mine/);
    assert.equal(await putBack(path, 'two\n', 'one\n'), false);
    assert.equal(await readFile(path, 'utf8'), saved);
  });
});
