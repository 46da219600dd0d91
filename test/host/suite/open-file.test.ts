import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { openFile } from '../../../extension/vscode/workspace/open-file.ts';
import { closeEditors, makeFile, makeFolder, makeOutsideFolder, workspace } from './files.ts';
import { eventually, test } from './runner.ts';

/** The file and place that the editor shows, as `name:line:column`. */
async function shows(expected: string): Promise<void> {
  await eventually(`the editor shows ${expected}`, () => {
    const editor = vscode.window.activeTextEditor;
    const { line, character } = editor?.selection.active ?? { line: -1, character: -1 };
    return `${basename(editor?.document.fileName ?? '')}:${line + 1}:${character + 1}` === expected;
  });
}

/** As a model would name it. */
function inWorkspace(path: string): string {
  return relative(workspace.roots[0]?.path ?? '', path);
}

test('open file: a path of the workspace is shown at its line and column', async () => {
  const path = await makeFile('shown.ts', 'one\ntwo\nthree\n');
  await openFile({ path: inWorkspace(path), line: 2, column: 3 });
  await shows('shown.ts:2:3');
  await openFile({ path, line: 3 });
  await shows('shown.ts:3:1');
  await closeEditors();
});

test('open file: what is not there is said', async () => {
  await assert.rejects(openFile({ path: 'no/such.ts' }), /File no\/such\.ts was not found in this workspace/);
});

test('open file: nothing outside of the workspace is opened', async () => {
  for (const path of ['/etc/hostname', '../../../../../../etc/hostname', `${'../'.repeat(20)}etc/hostname`]) {
    await assert.rejects(openFile({ path }), /outside this workspace/);
  }
  const folder = await makeFolder();
  const secret = join(await makeOutsideFolder(), 'secret.txt');
  await writeFile(secret, 'secret');
  await symlink(secret, join(folder, 'link.txt'));
  await assert.rejects(openFile({ path: inWorkspace(join(folder, 'link.txt')) }), /outside this workspace/);
});
