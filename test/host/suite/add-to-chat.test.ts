import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { addToChat } from '../../../extension/vscode/commands/add-to-chat.ts';
import type { PanelView } from '../../../extension/vscode/panel/panel.ts';
import { closeEditors, makeFile, show } from './files.ts';
import { test } from './runner.ts';

/** What the command puts into the input. */
async function added(...args: readonly unknown[]): Promise<string> {
  let inserted = '';
  const insert = async (text: string) => {
    inserted += text;
  };
  // As much of a panel as the command uses.
  await addToChat({ insert } as unknown as PanelView, args);
  return inserted;
}

async function makeUri(name: string): Promise<vscode.Uri> {
  return vscode.Uri.file(await makeFile(name, 'one\ntwo\nthree\n'));
}

const relative = (uri: vscode.Uri) => `@${vscode.workspace.asRelativePath(uri)}`;

test('add to chat: all files that are selected in the explorer', async () => {
  const [a, b] = [await makeUri('a.txt'), await makeUri('b.txt')];
  const folder = vscode.Uri.file(dirname(b.fsPath));
  assert.equal(await added(a, [a, b, folder]), `${relative(a)} ${relative(b)} ${relative(folder)} `);
  assert.equal(await added(b, [b]), `${relative(b)} `);
  assert.equal(await added(b), `${relative(b)} `);
});

test('add to chat: the file in front, with what is selected in it', async () => {
  const uri = await makeUri('a.txt');
  const editor = await show(uri.fsPath);
  assert.equal(await added(), `${relative(uri)} `);
  editor.selection = new vscode.Selection(0, 0, 1, 2);
  assert.equal(await added(), `${relative(uri)}:1-2 `);
  assert.equal(await added(uri, { groupId: 0 }), `${relative(uri)}:1-2 `);
  const other = await makeUri('b.txt');
  assert.equal(await added(other), `${relative(other)} `);
  await closeEditors();
});

test('add to chat: a problem, by its quick fix', async () => {
  const uri = await makeUri('a.txt');
  await show(uri.fsPath);
  const problems = vscode.languages.createDiagnosticCollection('test');
  const range = new vscode.Range(1, 0, 1, 3);
  problems.set(uri, [new vscode.Diagnostic(range, 'two is\nnot enough')]);
  await vscode.extensions.getExtension('harness.harness-agent')?.activate();
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
  );
  const ours = actions.filter(({ command }) => command?.command === 'harness.addToChat');
  assert.deepEqual(
    ours.map(({ title }) => title),
    ['Add to Harness Chat'],
  );
  assert.equal(await added(...(ours[0]?.command?.arguments ?? [])), `${relative(uri)}:2 two is not enough `);
  problems.dispose();
  await closeEditors();
});
