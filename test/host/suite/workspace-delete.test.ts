import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { closeEditors, makeFile, openTabs, rejectsWith, remove, show, typeInto, workspace } from './files.ts';
import { eventually, test } from './runner.ts';

const isThere = async (path: string) => (await workspace.stat(path)) !== undefined;

test('delete: a file is gone, and so is its editor', async () => {
  const path = await makeFile('gone.txt', 'text');
  await show(path);
  assert.equal(await remove(path), undefined);
  assert.equal(await isThere(path), false);
  await eventually('its editor is closed', () => openTabs().length === 0);
});

test('delete: a file of another version stays', async () => {
  const path = await makeFile('other.txt', 'text');
  await rejectsWith('changed', workspace.apply({ kind: 'delete', path, expect: 'another' }));
  assert.equal(await readFile(path, 'utf8'), 'text');
});

test('delete: what is unsaved in an editor is not lost', async () => {
  const path = await makeFile('unsaved.txt', 'text');
  await typeInto(path, 'mine ');
  await rejectsWith('unsaved', remove(path));
  assert.equal(await readFile(path, 'utf8'), 'text');
  await closeEditors();
});

test('delete: neither a directory nor what is not there', async () => {
  const path = await makeFile('a.txt', 'text');
  const directory = join(dirname(path), 'sub');
  await mkdir(directory);
  await rejectsWith('is-directory', workspace.apply({ kind: 'delete', path: directory, expect: '' }));
  const none = join(directory, 'none');
  await rejectsWith('not-found', workspace.apply({ kind: 'delete', path: none, expect: '' }));
});
