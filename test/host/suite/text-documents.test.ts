import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { TextDocuments } from '../../../extension/vscode/approvals/text-documents.ts';
import { closeEditors, makeFile, show } from './files.ts';
import { eventually, test } from './runner.ts';

const change = { path: '/repo/a.txt', before: 'a', after: 'b' };

const openings: Readonly<Record<string, (documents: TextDocuments) => Promise<void>>> = {
  'a result': (documents) => documents.show('read call-1.txt', 'the whole result'),
  'a change that was made': (documents) => documents.showDiffs('call-1', [change]),
};

for (const [what, open] of Object.entries(openings)) {
  test(`texts: ${what} leaves the keyboard where it is`, async () => {
    const path = await makeFile('other.txt', 'text');
    const documents = new TextDocuments();
    const input = vscode.window.createInputBox();
    let hidden = false;
    input.onDidHide(() => {
      hidden = true;
    });
    input.show();
    await open(documents);
    const drawn = () =>
      vscode.window.visibleTextEditors.some(({ document }) => document.uri.scheme === 'harness-text');
    await eventually('the text is drawn', drawn);
    await new Promise((resolve) => setTimeout(resolve, 500));
    // What takes the focus hides the input box: that must not have happened, and then must.
    assert.equal(hidden, false);
    await show(path);
    await eventually('the input box is gone', () => hidden);
    input.dispose();
    documents.dispose();
    await closeEditors();
  });
}

test('texts: the changes of a patch are opened side by side, and stay', async () => {
  const documents = new TextDocuments();
  const names = ['a.txt', 'b.txt'];
  await documents.showDiffs(
    'call-1',
    names.map((name) => ({ path: `/repo/${name}`, before: name, after: null })),
  );
  const labels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
  await eventually('both are open', () =>
    names.every((name) => labels().some((label) => label.startsWith(name))),
  );
  documents.dispose();
  await closeEditors();
});
