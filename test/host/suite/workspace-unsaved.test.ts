// What a user has typed and not saved is never lost.
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { versionOf as versionOfBytes } from '../../../extension/core/base/content-hash.ts';
import { ABSENT } from '../../../extension/core/ports/workspace.ts';
import {
  closeEditors,
  makeFile,
  move,
  rejectsWith,
  show,
  typeInto,
  versionOf,
  workspace,
  write,
} from './files.ts';
import { test } from './runner.ts';

const text = (path: string) => readFile(path, 'utf8');
const signal = new AbortController().signal;

test('unsaved: read and stream give what the editor shows', async () => {
  const path = await makeFile('notes.txt', 'disk\n');
  await typeInto(path, 'typed ');
  const content = await workspace.read(path, 1000);
  assert.equal(Buffer.from(content.bytes).toString(), 'typed disk\n');
  assert.equal(content.unsaved, true);
  const parts: Uint8Array[] = [];
  for await (const part of workspace.stream(path, signal)) parts.push(part);
  assert.equal(Buffer.concat(parts).toString(), 'typed disk\n');
  await rejectsWith('too-large', workspace.read(path, 5));
  await closeEditors();
  assert.equal((await workspace.read(path, 1000)).unsaved, false);
});

test('unsaved: what the model has read is changed in the editor and saved with the rest', async () => {
  const path = await makeFile('known.txt', 'disk\n');
  const document = await typeInto(path, 'typed ');
  assert.equal(await write(path, 'typed disk\nmore\n'), versionOfBytes(Buffer.from('typed disk\nmore\n')));
  assert.equal(await text(path), 'typed disk\nmore\n');
  assert.equal(document.isDirty, false);
  await vscode.commands.executeCommand('undo');
  assert.equal(document.getText(), 'typed disk\n');
  await closeEditors();
});

test('unsaved: text that was typed after the file was read is not overwritten', async () => {
  const path = await makeFile('later.txt', 'disk\n');
  const expect = await versionOf(path);
  const document = await typeInto(path, 'typed ');
  await rejectsWith(
    'unsaved',
    workspace.apply({ kind: 'write', path, bytes: Buffer.from('mine\n'), expect }),
  );
  assert.equal(document.getText(), 'typed disk\n');
  assert.equal(await text(path), 'disk\n');
  await closeEditors();
});

test('unsaved: a content that the editor cannot hold exactly is refused', async () => {
  const path = await makeFile('exact.txt', 'disk\n');
  const document = await typeInto(path, 'typed ');
  await rejectsWith('unsaved', write(path, 'mixed\r\nline ends\n'));
  assert.equal(document.getText(), 'typed disk\n');
  assert.equal(await text(path), 'disk\n');
  await closeEditors();
});

test('unsaved: where the file also changed on disk, neither side is lost', async () => {
  const path = await makeFile('both.txt', 'disk\n');
  const document = await typeInto(path, 'typed ');
  await writeFile(path, 'another program, longer\n');
  await rejectsWith('failed', write(path, 'typed disk\nmine\n'));
  assert.equal(document.getText(), 'typed disk\n');
  assert.equal(await text(path), 'another program, longer\n');
  await closeEditors();
});

test('unsaved: an editor whose file is gone is not a new file', async () => {
  const path = await makeFile('gone.txt', 'disk\n');
  const document = await typeInto(path, 'typed ');
  await rm(path);
  await rejectsWith(
    'unsaved',
    workspace.apply({ kind: 'write', path, bytes: Buffer.from('new'), expect: ABSENT }),
  );
  assert.equal(document.getText(), 'typed disk\n');
  await writeFile(path, 'disk\n');
  await closeEditors();
});

test('unsaved: untitled documents are left alone', async () => {
  const document = await vscode.workspace.openTextDocument({ content: 'untitled text' });
  const path = await makeFile('other.txt', 'one\n');
  await write(path, 'two\n');
  assert.equal(document.getText(), 'untitled text');
  assert.equal(document.isUntitled, true);
});

test('unsaved: a moved file takes its unsaved text along', async () => {
  const path = await makeFile('from.txt', 'disk\n');
  const destination = join(dirname(path), 'sub', 'to.txt');
  await typeInto(path, 'typed ');
  await move(path, destination);
  const moved = vscode.workspace.textDocuments.find((document) => document.uri.fsPath === destination);
  assert.equal(moved?.getText(), 'typed disk\n');
  assert.equal(moved?.isDirty, true);
  assert.equal(await text(destination), 'disk\n');
  await closeEditors();
});

test('unsaved: nothing is moved over an editor with unsaved text', async () => {
  const source = await makeFile('source.txt', 'source\n');
  const destination = await makeFile('destination.txt', 'disk\n');
  const document = await typeInto(destination, 'typed ');
  await rejectsWith('unsaved', move(source, destination));
  assert.equal(document.getText(), 'typed disk\n');
  assert.equal(await text(source), 'source\n');
  assert.equal(await text(destination), 'disk\n');
  await closeEditors();
});

test('unsaved: a notebook with unsaved changes is not written below', async () => {
  const empty = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
  const path = await makeFile('book.ipynb', empty);
  const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
  await vscode.window.showNotebookDocument(notebook);
  await write(path, `${empty}\n`);
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, 'typed', 'markdown');
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [cell])]);
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.equal(notebook.isDirty, true);
  await rejectsWith('unsaved', write(path, '{}'));
  assert.equal(notebook.cellCount, 1);
  await vscode.window.showNotebookDocument(notebook);
  await vscode.commands.executeCommand('workbench.action.files.revert');
  await closeEditors();
});

test('unsaved: several editors do not mind each other', async () => {
  const first = await makeFile('first.txt', 'one\n');
  const second = await makeFile('second.txt', 'two\n');
  const document = await typeInto(first, 'typed ');
  await show(second);
  await write(second, 'TWO\n');
  assert.equal(await text(second), 'TWO\n');
  assert.equal(document.getText(), 'typed one\n');
  assert.equal(document.isDirty, true);
  await closeEditors();
});
