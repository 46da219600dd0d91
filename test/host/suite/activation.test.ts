import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { test } from './runner.ts';

function harness(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('harness.harness-agent');
  assert.ok(extension, 'VS Code does not know harness.harness-agent');
  return extension;
}

test('starting costs the registrations alone: the rest is loaded when it is needed', async () => {
  assert.equal(harness().isActive, false);
  const dist = pathToFileURL(join(harness().extensionPath, 'dist')).href;
  const loaded: string[] = [];
  const hooks = registerHooks({
    load: (url, context, next) => {
      if (url.startsWith(dist)) loaded.push(basename(url));
      return next(url, context);
    },
  });
  await harness().activate();
  hooks.deregister();
  assert.deepEqual(loaded.slice(0, 2), ['extension.cjs', 'extension.js']);
  // Shared by several; what is loaded late has the name of its source.
  const rest = loaded.slice(2);
  assert.deepEqual(
    rest.filter((name) => !/^chunk-\w+\.js$/.test(name)),
    [],
  );
});

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
