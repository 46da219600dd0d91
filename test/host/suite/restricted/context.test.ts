import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { workspaceRoots } from '../../../../extension/vscode/workspace/vscode-workspace.ts';
import { eventually, test } from '../runner.ts';

const CANARY = 'an instruction that nobody has trusted';

test('in Restricted Mode nothing of the folder is injected: no instructions, no branch', async () => {
  const [root] = workspaceRoots();
  assert.ok(root);
  const instructions = join(root.path, 'AGENTS.md');
  const repository = join(root.path, '.git');
  await writeFile(instructions, CANARY);
  await mkdir(repository, { recursive: true });
  await writeFile(join(repository, 'HEAD'), 'ref: refs/heads/untrusted-branch\n');
  try {
    await vscode.commands.executeCommand('harness.showContext');
    const text = await eventually('the context is shown', () =>
      vscode.window.visibleTextEditors
        .find(({ document }) => document.uri.scheme === 'harness-text')
        ?.document.getText(),
    );
    assert.match(text, /does not trust this workspace: every call is refused/);
    assert.doesNotMatch(text, new RegExp(`${CANARY}|untrusted-branch`));
  } finally {
    await rm(instructions);
    await rm(repository, { recursive: true });
  }
});
