import assert from 'node:assert/strict';
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

test('every command of the manifest is registered', async () => {
  await harness().activate();
  const declared: { command: string }[] = harness().packageJSON.contributes.commands;
  const registered = new Set(await vscode.commands.getCommands(true));
  const missing = declared.map(({ command }) => command).filter((command) => !registered.has(command));
  assert.deepEqual(missing, []);
});
