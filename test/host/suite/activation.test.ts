import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { test } from './runner.ts';

function harness(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('harness.harness-agent');
  assert.ok(extension, 'VS Code does not know harness.harness-agent');
  return extension;
}

test('the extension is installed and activates', async () => {
  await harness().activate();
  assert.equal(harness().isActive, true);
});

test('starting costs the registrations alone: the rest is loaded when it is needed', async () => {
  await harness().activate();
  const dist = join(harness().extensionPath, 'dist');
  const loaded = Object.keys(require.cache).filter((path) => path.startsWith(dist));
  assert.deepEqual(
    loaded.map((path) => basename(path)),
    ['extension.cjs'],
  );
});

test('every command of the manifest is registered', async () => {
  await harness().activate();
  const declared: { command: string }[] = harness().packageJSON.contributes.commands;
  const registered = new Set(await vscode.commands.getCommands(true));
  const missing = declared.map(({ command }) => command).filter((command) => !registered.has(command));
  assert.deepEqual(missing, []);
});
