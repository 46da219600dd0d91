import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { test } from '../runner.ts';

test('the extension activates in Restricted Mode', async () => {
  assert.equal(vscode.workspace.isTrusted, false);
  const extension = vscode.extensions.getExtension('harness.harness-agent');
  assert.ok(extension, 'harness.harness-agent does not run in Restricted Mode');
  await extension.activate();
  assert.equal(extension.isActive, true);
});
