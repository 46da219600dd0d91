import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { DiffPreview, shownPreviewId } from '../../../extension/vscode/approvals/diff-preview.ts';
import { previewId, previewUri } from '../../../extension/vscode/approvals/preview-uri.ts';
import { closeEditors, makeFile, show, withUserSetting } from './files.ts';
import { eventually, test } from './runner.ts';

function diffs(): vscode.TabInputTextDiff[] {
  const inputs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.input));
  return inputs.filter((input) => input instanceof vscode.TabInputTextDiff);
}

async function textAt(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}

test('preview: shows both texts beside each other, and closes', async () => {
  const preview = new DiffPreview();
  await preview.show('call-1', { path: '/repo/src/date.js', before: 'old\n', after: 'new\n' }, '');
  const [diff] = diffs();
  assert.ok(diff, 'no diff editor is open');
  assert.deepEqual([await textAt(diff.original), await textAt(diff.modified)], ['old\n', 'new\n']);
  assert.equal(previewId(diff.modified), 'call-1');
  assert.equal(shownPreviewId(), 'call-1');
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  assert.match(tab?.label ?? '', /date\.js \(change by Harness, not applied yet\)/);
  assert.equal((await vscode.workspace.openTextDocument(diff.modified)).languageId, 'javascript');
  await preview.close('call-1');
  assert.deepEqual(diffs(), []);
  preview.dispose();
});

test('preview: leaves the keyboard where it is', async () => {
  const path = await makeFile('other.txt', 'text');
  const preview = new DiffPreview();
  const input = vscode.window.createInputBox();
  let hidden = false;
  input.onDidHide(() => {
    hidden = true;
  });
  input.show();
  await preview.show('call-1', { path: '/repo/a.txt', before: 'a', after: 'b' }, '');
  const drawn = () => vscode.window.visibleTextEditors.some(({ document }) => previewId(document.uri));
  await eventually('the diff is drawn', drawn);
  await new Promise((resolve) => setTimeout(resolve, 500));
  // What takes the focus hides the input box: that must not have happened, and then must.
  assert.equal(hidden, false);
  await show(path);
  await eventually('the input box is gone', () => hidden);
  input.dispose();
  preview.dispose();
  await closeEditors();
});

test('preview: a new file has nothing on the left', async () => {
  const preview = new DiffPreview();
  await preview.show('call-1', { path: '/repo/new.txt', before: null, after: 'text' }, '');
  const [diff] = diffs();
  assert.ok(diff);
  assert.equal(await textAt(diff.original), '');
  assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /new file/);
  preview.dispose();
  await eventually('the diff is closed', () => diffs().length === 0);
});

test('preview: several at once, each closed for itself; the same file twice is two', async () => {
  const preview = new DiffPreview();
  for (const id of ['one', 'two', 'three']) {
    await preview.show(id, { path: '/repo/a.txt', before: 'a', after: id }, id);
  }
  assert.equal(diffs().length, 3);
  const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
  assert.match(label, /a\.txt \(change by Harness in “three”, not applied yet\)/);
  await preview.close('two');
  assert.deepEqual(
    diffs().map(({ modified }) => previewId(modified)),
    ['one', 'three'],
  );
  await preview.show('one', { path: '/repo/a.txt', before: 'a', after: 'one' }, 'one');
  assert.equal(shownPreviewId(), 'one');
  assert.equal(diffs().length, 2);
  preview.dispose();
  await eventually('all are closed', () => diffs().length === 0);
});

test('preview: a large file', async () => {
  const preview = new DiffPreview();
  const before = 'a line of text\n'.repeat(70_000);
  await preview.show('call-1', { path: '/repo/large.txt', before, after: `${before}more\n` }, '');
  const [diff] = diffs();
  assert.ok(diff);
  assert.equal((await textAt(diff.modified)).length, before.length + 5);
  preview.dispose();
});

test('preview: a text that names a schema is plain text, whatever the file is called', () => {
  const remote = '{"$schema": "http://example.invalid/?secret"}';
  const plain = (path: string, text: string) => previewUri('x', 'after', path, text).path.endsWith('.txt');
  assert.equal(plain('/repo/a.json', remote), true);
  assert.equal(plain('/repo/.eslintrc', remote), true);
  assert.equal(plain('/repo/a.json', '{"\\u0024schema": "http://example.invalid"}'), true);
  assert.equal(plain('/repo/a.yaml', '# yaml-language-server: $schema=http://example.invalid'), true);
  assert.equal(plain('/repo/a.xml', '<!DOCTYPE a SYSTEM "http://example.invalid">'), true);
  assert.equal(plain('/repo/a.json', '{"name": "a"}'), false);
  assert.equal(plain('/repo/a.ts', "const reference = '$ref';"), false);
});

test('preview: nothing is fetched that a proposed text names', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `listen` on a port gives an AddressInfo.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await withUserSetting('json.schemaDownload.trustedDomains', { [origin]: true }, async () => {
    const preview = new DiffPreview();
    const after = `{"$schema": "${origin}/from-preview", "a": 1}`;
    await preview.show('call-1', { path: '/repo/a.json', before: '{}', after }, '');
    // The language server works and would have fetched: it does for a file of the user's.
    await show(await makeFile('b.json', `{"$schema": "${origin}/from-file", "a": 1}`));
    await eventually('the file’s schema was fetched', () => asked.includes('/from-file'));
    assert.deepEqual(
      asked.filter((url) => url !== '/from-file'),
      [],
    );
    preview.dispose();
  });
  server.close();
  await closeEditors();
});
