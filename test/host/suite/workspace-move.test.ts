import assert from 'node:assert/strict';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { closeEditors, makeFile, makeFolder, move, rejectsWith, show, typeInto } from './files.ts';
import { afterTest, eventually, test } from './runner.ts';

const text = (path: string) => readFile(path, 'utf8');
const missing = (path: string) =>
  stat(path).then(
    () => false,
    () => true,
  );

test('move: language servers hear of the rename, and undo in its editor takes it back', async () => {
  const source = await makeFile('old.ts', 'export {};\n');
  const destination = join(dirname(source), 'new', 'name.ts');
  await chmod(source, 0o640);
  const renamed: string[] = [];
  const listening = vscode.workspace.onDidRenameFiles(({ files }) => {
    renamed.push(...files.map(({ oldUri, newUri }) => `${oldUri.fsPath} ${newUri.fsPath}`));
  });
  await move(source, destination);
  listening.dispose();
  assert.deepEqual(renamed, [`${source} ${destination}`]);
  assert.equal(await text(destination), 'export {};\n');
  assert.equal((await stat(destination)).mode & 0o777, 0o640);
  assert.equal((await stat(dirname(destination))).mode & 0o777, 0o755);
  await show(destination);
  await vscode.commands.executeCommand('undo');
  await eventually(
    'the file has its old name again',
    async () => (await missing(destination)) && !(await missing(source)),
  );
  await closeEditors();
});

test('move: an open editor goes along', async () => {
  const source = await makeFile('shown.txt', 'one\n');
  const destination = join(dirname(source), 'renamed.txt');
  await show(source);
  await move(source, destination);
  await eventually(
    'the editor shows the new name',
    () => vscode.window.activeTextEditor?.document.uri.fsPath === destination,
  );
  await closeEditors();
});

test('move: an existing file is overwritten, and nothing is left beside it', async () => {
  const source = await makeFile('source.txt', 'source');
  const destination = join(dirname(source), 'destination.txt');
  await writeFile(destination, 'destination');
  await move(source, destination);
  assert.equal(await text(destination), 'source');
  assert.deepEqual(await readdir(dirname(source)), ['destination.txt']);
});

test('move: where it fails, what would have been overwritten is still there', async () => {
  const destination = await makeFile('kept.txt', 'kept');
  await rejectsWith('not-found', move(join(dirname(destination), 'nothing.txt'), destination));
  assert.equal(await text(destination), 'kept');
  assert.deepEqual(await readdir(dirname(destination)), ['kept.txt']);
});

test('move: directories; an empty one is replaced, a full one is not', async () => {
  const folder = await makeFolder();
  const [source, empty, full] = ['source', 'empty', 'full'].map((name) => join(folder, name));
  assert.ok(source && empty && full);
  await Promise.all([source, empty, full].map((path) => mkdir(path)));
  await writeFile(join(source, 'a.txt'), 'a');
  await writeFile(join(full, 'b.txt'), 'b');
  await rejectsWith('not-empty', move(source, full));
  assert.equal(await text(join(full, 'b.txt')), 'b');
  await move(source, empty);
  assert.equal(await text(join(empty, 'a.txt')), 'a');
  assert.deepEqual(await readdir(folder), ['empty', 'full']);
});

test('move: a directory does not take the place of a file, nor go into itself', async () => {
  const folder = await makeFolder();
  const [source, file] = [join(folder, 'source'), join(folder, 'file.txt')];
  await mkdir(source);
  await writeFile(join(source, 'a.txt'), 'a');
  await writeFile(file, 'file');
  await rejectsWith('failed', move(source, file));
  await rejectsWith('failed', move(source, join(source, 'below')));
  assert.equal(await text(file), 'file');
  assert.deepEqual(await readdir(folder), ['file.txt', 'source']);
  assert.deepEqual(await readdir(source), ['a.txt']);
});

test('move: where VS Code cannot rename, an empty directory is there again', async () => {
  const folder = await makeFolder();
  const [source, destination] = [join(folder, 'source'), join(folder, 'empty')];
  await mkdir(source);
  await mkdir(destination);
  await writeFile(join(source, 'typed.txt'), 'disk');
  await typeInto(join(source, 'typed.txt'), 'typed ');
  const refusal = vscode.workspace.onWillRenameFiles((event) =>
    event.waitUntil(rm(source, { recursive: true })),
  );
  await assert.rejects(move(source, destination));
  refusal.dispose();
  assert.deepEqual(await readdir(folder), ['empty']);
  await mkdir(source);
  await writeFile(join(source, 'typed.txt'), 'disk');
  await closeEditors();
});

test('move: a link is moved itself', async () => {
  const target = await makeFile('target.txt', 'target');
  const link = join(dirname(target), 'link.txt');
  await symlink('target.txt', link);
  await move(link, join(dirname(target), 'moved.txt'));
  assert.equal(await readlink(join(dirname(target), 'moved.txt')), 'target.txt');
  await assert.rejects(lstat(link));
  assert.equal(await text(target), 'target');
});

test('move: to another file system, with its mode and time; unsaved text keeps it where it is', async () => {
  const shared = await mkdtemp('/dev/shm/harness-test-').catch(() => undefined);
  if (shared) afterTest(() => rm(shared, { recursive: true }));
  if (!shared || (await stat(shared)).dev === (await stat(await makeFolder())).dev) {
    console.log('There is no second file system here to move to.');
    return;
  }
  const source = await makeFile('far.txt', 'far\n');
  await chmod(source, 0o600);
  await utimes(source, 1_000_000, 1_000_000);
  const destination = join(shared, 'new', 'far.txt');
  await typeInto(source, 'typed ');
  await rejectsWith('unsaved', move(source, destination));
  await closeEditors();
  await move(source, destination);
  const moved = await stat(destination);
  assert.equal(await text(destination), 'far\n');
  assert.deepEqual([moved.mode & 0o777, moved.mtimeMs], [0o600, 1_000_000_000]);
  assert.equal(await missing(source), true);
});
