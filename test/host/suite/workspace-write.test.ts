import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { versionOf as versionOfBytes } from '../../../extension/core/base/content-hash.ts';
import { ABSENT } from '../../../extension/core/ports/workspace.ts';
import {
  closeEditors,
  makeFile,
  makeFolder,
  openTabs,
  rejectsWith,
  show,
  undoAndSave,
  versionOf,
  withUserSetting,
  workspace,
  write,
} from './files.ts';
import { eventually, test } from './runner.ts';

const text = (path: string) => readFile(path, 'utf8');

test('write: a file that no editor shows is saved without a tab, and undo gives back its exact bytes', async () => {
  const before = 'one\ntwo \t\nthree';
  const path = await makeFile('plain.txt', before);
  assert.equal(await write(path, 'one\nTWO\nthree'), versionOfBytes(Buffer.from('one\nTWO\nthree')));
  assert.equal(await text(path), 'one\nTWO\nthree');
  assert.deepEqual(openTabs(), []);
  assert.equal((await undoAndSave(path)).toString(), before);
  await closeEditors();
});

test('write: an open editor shows it at once, and its cursor stays where it was', async () => {
  const path = await makeFile('open.txt', 'one\ntwo\nthree\nfour\nfive\n');
  const editor = await show(path);
  editor.selection = new vscode.Selection(3, 2, 3, 2);
  await write(path, 'zero\none\nTWO\nthree\nfour\nFIVE\n');
  assert.equal(editor.document.getText(), 'zero\none\nTWO\nthree\nfour\nFIVE\n');
  assert.equal(editor.document.isDirty, false);
  assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [4, 2]);
  assert.equal((await undoAndSave(path)).toString(), 'one\ntwo\nthree\nfour\nfive\n');
  await closeEditors();
});

test('write: several writes are undone one by one', async () => {
  const path = await makeFile('twice.txt', 'a\nb\n');
  await write(path, 'A\nb\n');
  await write(path, 'A\nB\n');
  assert.equal((await undoAndSave(path)).toString(), 'A\nb\n');
  assert.equal((await undoAndSave(path)).toString(), 'a\nb\n');
  await closeEditors();
});

test('write: a new file has exactly these bytes, its directories are made, and undo takes it away', async () => {
  const path = join(await makeFolder(), 'new', 'deep', 'data.txt');
  const content = Buffer.from('\ufeffone\r\ntwo\nthree \xff', 'latin1');
  assert.equal(await write(path, content), versionOfBytes(content));
  assert.deepEqual(await readFile(path), content);
  assert.equal((await stat(dirname(path))).mode & 0o777, 0o755);
  assert.equal((await stat(path)).mode & 0o777, 0o644);
  await show(path);
  await vscode.commands.executeCommand('undo');
  await eventually('the file is gone', () =>
    stat(path).then(
      () => false,
      () => true,
    ),
  );
  await closeEditors();
});

test('write: a file that has appeared meanwhile is not overwritten', async () => {
  const path = await makeFile('there.txt', 'somebody was faster');
  const change = { kind: 'write', path, bytes: Buffer.from('mine'), expect: ABSENT } as const;
  await rejectsWith('changed', workspace.apply(change));
  assert.equal(await text(path), 'somebody was faster');
});

test('write: a file that has changed or gone since it was read is left alone', async () => {
  const path = await makeFile('race.txt', 'as read');
  const change = { kind: 'write', path, bytes: Buffer.from('mine'), expect: await versionOf(path) } as const;
  await writeFile(path, 'changed by another program');
  await rejectsWith('changed', workspace.apply(change));
  assert.equal(await text(path), 'changed by another program');
  await rm(path);
  await rejectsWith('changed', workspace.apply(change));
  await assert.rejects(stat(path));
});

test('write: an open editor that has not yet noticed a change on disk does not bring back what it shows', async () => {
  const path = await makeFile('stale.txt', 'old\n');
  const { document } = await show(path);
  await writeFile(path, 'changed by another program\n');
  await write(path, 'changed by another program\nand by us\n');
  assert.equal(await text(path), 'changed by another program\nand by us\n');
  await eventually('the editor shows it', () => document.getText().includes('by us'));
  await closeEditors();
});

test('write: mode bits, links and an empty content', async () => {
  const path = await makeFile('script.sh', 'echo one\n');
  await chmod(path, 0o751);
  const link = join(dirname(path), 'link.sh');
  await symlink('script.sh', link);
  await write(await workspace.realpath(link), 'echo two\n');
  assert.equal(await text(path), 'echo two\n');
  assert.equal((await stat(path)).mode & 0o777, 0o751);
  assert.equal(await readlink(link), 'script.sh');
  await write(path, '');
  assert.equal((await stat(path)).size, 0);
  assert.equal((await undoAndSave(path)).toString(), 'echo two\n');
  await closeEditors();
});

test('write: an editor that knows the file by a link shows the change too', async () => {
  const path = await makeFile('target.txt', 'one\n');
  const folder = join(await makeFolder(), 'linked');
  await symlink(dirname(path), folder);
  const { document } = await show(join(folder, 'target.txt'));
  await write(path, 'two\n');
  assert.equal(document.getText(), 'two\n');
  assert.equal(document.isDirty, false);
  assert.equal((await lstat(folder)).isSymbolicLink(), true);
  await closeEditors();
});

test('write: what the formatter makes of it on save is the version that is reported', async () => {
  const path = await makeFile('formatted.harnesstest', 'start\n');
  const formatter = vscode.languages.registerDocumentFormattingEditProvider(
    { pattern: '**/*.harnesstest' },
    {
      provideDocumentFormattingEdits: (document) => {
        const all = new vscode.Range(0, 0, document.lineCount, 0);
        return [vscode.TextEdit.replace(all, document.getText().toUpperCase())];
      },
    },
  );
  await withUserSetting('editor.formatOnSave', true, async () => {
    const version = await write(path, 'start\nmore\n');
    assert.equal(await text(path), 'START\nMORE\n');
    assert.equal(version, versionOfBytes(Buffer.from('START\nMORE\n')));
  });
  formatter.dispose();
});

test('write: what VS Code trims on save is the version that is reported', async () => {
  const path = await makeFile('trimmed.txt', 'one\n');
  await withUserSetting('files.trimTrailingWhitespace', true, async () => {
    const version = await write(path, 'one   \ntwo\n');
    assert.equal(await text(path), 'one\ntwo\n');
    assert.equal(version, versionOfBytes(Buffer.from('one\ntwo\n')));
  });
});

test('write: when saving fails, the change is taken back and the other program wins', async () => {
  const path = await makeFile('conflict.txt', 'one\n');
  const { document } = await show(path);
  const meddler = vscode.workspace.onWillSaveTextDocument((event) => {
    if (event.document === document) event.waitUntil(writeFile(path, 'another program, just now\n'));
  });
  await rejectsWith('failed', write(path, 'two\n'));
  meddler.dispose();
  assert.equal(await text(path), 'another program, just now\n');
  assert.equal(document.getText(), 'one\n');
  await closeEditors();
});

test('write: a file that is read-only in VS Code is left alone', async () => {
  const path = await makeFile('locked.txt', 'one\n');
  await withUserSetting('files.readonlyInclude', { '**/locked.txt': true }, async () => {
    const { document } = await show(path);
    await rejectsWith('permission-denied', write(path, 'two\n'));
    assert.equal(await text(path), 'one\n');
    assert.equal(document.getText(), 'one\n');
    assert.equal(
      vscode.workspace.textDocuments.some(({ isDirty }) => isDirty),
      false,
    );
  });
  await closeEditors();
});

test('write: a directory, a missing permission and a path through a file say what they are', async () => {
  const folder = await makeFolder();
  await mkdir(join(folder, 'directory'));
  const bytes = Buffer.from('x');
  const at = (path: string) => workspace.apply({ kind: 'write', path, bytes, expect: ABSENT });
  await rejectsWith('is-directory', at(join(folder, 'directory')));
  await writeFile(join(folder, 'file'), '');
  await rejectsWith('not-directory', at(join(folder, 'file', 'below')));
  if (process.platform === 'linux') await rejectsWith('permission-denied', at('/sys/kernel/harness-test'));
});

test('write: a file too large for a text document is written on disk', async () => {
  const before = Buffer.alloc(51 * 1024 * 1024, 'a line of text\n');
  const path = await makeFile('large.txt', before);
  const after = Buffer.concat([before, Buffer.from('and an end')]);
  const expect = versionOfBytes(before);
  assert.equal(await workspace.apply({ kind: 'write', path, bytes: after, expect }), versionOfBytes(after));
  assert.ok((await readFile(path)).equals(after));
});
