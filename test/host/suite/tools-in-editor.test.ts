// The real tools on the real adapters: what the model is told of what the editor does.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { bash } from '../../../extension/core/tools/bash/bash.ts';
import { edit } from '../../../extension/core/tools/edit/edit.ts';
import { move } from '../../../extension/core/tools/move.ts';
import { read } from '../../../extension/core/tools/read/read.ts';
import { write } from '../../../extension/core/tools/write.ts';
import { NodeShell } from '../../../extension/node/processes/node-shell.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { HarnessTerminal } from '../../../extension/vscode/terminal/harness-terminal.ts';
import { RUNNING_CALL } from '../../support/running-call.ts';
import { bench } from '../../unit/tools/call-tool.ts';
import { closeEditors, makeFile, typeInto, withUserSetting, workspace } from './files.ts';
import { eventually, test } from './runner.ts';

const replaceFirst = (content: string) => [{ op: 'replace', startLine: 1, endLine: 1, content: [content] }];

test('tools: the model hears that its text was formatted, and has to look before it edits', async () => {
  const { call } = bench(workspace);
  const path = await makeFile('trimmed.txt', 'one\n');
  await call(read, { path });
  await withUserSetting('files.trimTrailingWhitespace', true, async () => {
    const { result } = await call(write, { path, content: 'one   \ntwo\n' });
    assert.match(String(result.note), /changed the file when it saved it/);
    const change = { path, operations: replaceFirst('ONE') };
    await assert.rejects(call(edit, change), /you have not seen line 1 of .* as it is now/);
    await call(read, { path });
    assert.equal((await call(edit, change)).result.note, undefined);
    assert.equal(await readFile(path, 'utf8'), 'ONE\ntwo\n');
  });
});

test('tools: what is read from an unsaved editor can be edited there, until it is typed on', async () => {
  const { call } = bench(workspace);
  const path = await makeFile('typed.txt', 'one\ntwo\n');
  await typeInto(path, 'typed ');
  assert.equal((await call(read, { path })).result.content, 'typed one\ntwo\n');
  const { action } = await call(edit, { path, operations: replaceFirst('ONE') });
  assert.equal(action.kind === 'write' && action.unsaved, true);
  assert.equal(await readFile(path, 'utf8'), 'ONE\ntwo\n');
  const document = await typeInto(path, 'more ');
  await assert.rejects(
    call(edit, { path, operations: replaceFirst('lost') }),
    /you have not seen line 1 of .* as it is now/,
  );
  await assert.rejects(call(write, { path, content: 'lost' }), /unsaved changes/);
  assert.equal(document.getText(), 'more ONE\ntwo\n');
  await closeEditors();
});

test('tools: text that is typed while the user is asked is not overwritten', async () => {
  const { call, context } = bench(workspace);
  const path = await makeFile('asked.txt', 'one\n');
  await call(read, { path });
  const signal = new AbortController().signal;
  const prepared = await write.prepare({ path, content: 'two\n' }, context, signal);
  const document = await typeInto(path, 'typed ');
  await assert.rejects(
    prepared.execute(signal, () => {}, RUNNING_CALL),
    /has unsaved changes/,
  );
  assert.equal(document.getText(), 'typed one\n');
  assert.equal(await readFile(path, 'utf8'), 'one\n');
  await closeEditors();
});

test('tools: a move takes along what the model knows of the file', async () => {
  const { call } = bench(workspace);
  const source = await makeFile('a.txt', 'one\n');
  const destination = join(dirname(source), 'b.txt');
  await call(read, { path: source });
  await call(move, { source, destination });
  await call(edit, { path: destination, operations: replaceFirst('ONE') });
  assert.equal(await readFile(destination, 'utf8'), 'ONE\n');
});

test('tools: the model hears that the user stopped a command', async () => {
  const before = new Set(vscode.window.terminals);
  const shell = new HarnessTerminal(new NodeShell(), systemClock);
  const { call } = bench(workspace, shell);
  const running = assert.rejects(
    call(bash, { command: 'echo ready; sleep 600' }),
    /command was stopped by the user and was ended/,
  );
  const options = await eventually('the terminal is there', () => {
    return vscode.window.terminals.find((terminal) => !before.has(terminal))?.creationOptions;
  });
  assert.ok('pty' in options);
  options.pty.handleInput?.('\x03');
  await running;
  shell.dispose();
});
