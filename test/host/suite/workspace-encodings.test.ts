// Bytes outside the changed lines stay what they were, whatever VS Code would make of the file.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { versionOf as versionOfBytes } from '../../../extension/core/base/content-hash.ts';
import { closeEditors, makeFile, show, undoAndSave, withUserSetting, workspace, write } from './files.ts';
import { eventually, test } from './runner.ts';

type Name = 'document' | 'disk';

interface Case {
  readonly what: string;
  readonly before: Buffer;
  readonly after: Buffer;
  /** Through which it must go. */
  readonly through: Name;
}

const latin1 = (value: string) => Buffer.from(value, 'latin1');
const utf16 = (value: string) => Buffer.from(`\ufeff${value}`, 'utf16le');

const cases: readonly Case[] = [
  {
    what: 'CRLF',
    before: Buffer.from('a\r\nb\r\n'),
    after: Buffer.from('a\r\nB\r\nc\r\n'),
    through: 'document',
  },
  {
    what: 'LF that becomes CRLF',
    before: Buffer.from('a\nb\n'),
    after: Buffer.from('a\r\nb\r\nc\r\n'),
    through: 'document',
  },
  {
    what: 'UTF-8 with a byte order mark',
    before: Buffer.from('\ufeffa\né\n'),
    after: Buffer.from('\ufeffA\né\n'),
    through: 'document',
  },
  { what: 'UTF-16', before: utf16('a\né\u{1f600}\n'), after: utf16('A\né\u{1f600}\n'), through: 'document' },
  {
    what: 'no final newline, trailing blanks',
    before: Buffer.from('a \n\t\nb'),
    after: Buffer.from('a \n\t\nB'),
    through: 'document',
  },
  {
    what: 'mixed line ends',
    before: Buffer.from('a\r\nb\nc\r\n'),
    after: Buffer.from('a\r\nB\nc\r\n'),
    through: 'disk',
  },
  {
    what: 'line ends that become mixed',
    before: Buffer.from('a\nb\n'),
    after: Buffer.from('a\r\nb\n'),
    through: 'disk',
  },
  { what: 'a lone CR', before: Buffer.from('a\rb\nc\n'), after: Buffer.from('a\rb\nC\n'), through: 'disk' },
  { what: 'Latin-1', before: latin1('caf\xe9\nb\n'), after: latin1('caf\xe9\nB\n'), through: 'disk' },
  {
    what: 'invalid UTF-8',
    before: latin1('a\xff\xfe\xfd\nb\n'),
    after: latin1('a\xff\xfe\xfd\nB\n'),
    through: 'disk',
  },
  {
    what: 'a NUL that comes in',
    before: Buffer.from('a\nb\n'),
    after: Buffer.from('a\0\nb\n'),
    through: 'disk',
  },
  {
    what: 'binary',
    before: Buffer.from([0, 1, 2, 0xff, 0]),
    after: Buffer.from([0, 1, 3, 0xff, 0]),
    through: 'disk',
  },
  {
    what: 'a byte order mark that comes in',
    before: Buffer.from('a\n'),
    after: Buffer.from('\ufeffa\n'),
    through: 'disk',
  },
];

for (const { what, before, after, through } of cases) {
  test(`bytes: ${what} is exact (through the ${through}), and what can be undone is exact too`, async () => {
    const path = await makeFile('bytes.txt', before);
    assert.equal(await write(path, after), versionOfBytes(after));
    assert.deepEqual(await readFile(path), after);
    if (through === 'document') assert.deepEqual(await undoAll(path, before), before);
    await closeEditors();
  });
}

/** A change of line ends is a step of its own. */
async function undoAll(path: string, before: Buffer): Promise<Buffer> {
  const once = await undoAndSave(path);
  return once.equals(before) ? once : undoAndSave(path);
}

test('bytes: an open editor that was written below shows the new text, without being asked to save', async () => {
  const path = await makeFile('mixed.txt', 'a\r\nb\n');
  const { document } = await show(path);
  await write(path, 'a\r\nB\n');
  await eventually('the editor shows the change', () => document.getText().includes('B'));
  assert.equal(document.isDirty, false);
  assert.deepEqual(await readFile(path), Buffer.from('a\r\nB\n'));
  await vscode.commands.executeCommand('undo');
  await eventually('the change is undone', () => document.getText().includes('b'));
  await closeEditors();
});

test('bytes: files.encoding is honoured where the file is valid in it', async () => {
  await withUserSetting('files.encoding', 'windows1252', async () => {
    const path = await makeFile('cp1252.txt', latin1('caf\xe9 \x80\nb\n'));
    await write(path, latin1('caf\xe9 \x80\nB\n'));
    assert.deepEqual(await readFile(path), latin1('caf\xe9 \x80\nB\n'));
    assert.deepEqual(await undoAndSave(path), latin1('caf\xe9 \x80\nb\n'));
    await closeEditors();
  });
});

test('bytes: UTF-8 stays exact under a foreign files.encoding', async () => {
  await withUserSetting('files.encoding', 'shiftjis', async () => {
    const path = await makeFile('foreign.txt', Buffer.from('é€\nb\n'));
    await write(path, Buffer.from('é€\nB\n'));
    assert.deepEqual(await readFile(path), Buffer.from('é€\nB\n'));
    await closeEditors();
  });
});

test('bytes: unsaved text is read in the file’s own encoding', async () => {
  const path = await makeFile('unsaved.txt', utf16('a\n'));
  const editor = await show(path);
  await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), 'é'));
  const { bytes, unsaved, version } = await workspace.read(path, 1000);
  assert.deepEqual(Buffer.from(bytes), utf16('éa\n'));
  assert.equal(unsaved, true);
  assert.equal(version, versionOfBytes(utf16('éa\n')));
  await closeEditors();
});
