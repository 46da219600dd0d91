import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { writeUserSetting } from '../../../extension/vscode/base/settings.ts';
import { workspaceRoots } from '../../../extension/vscode/workspace/vscode-workspace.ts';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import { withClaude } from './claude.ts';
import { closeEditors } from './files.ts';
import { eventually, test } from './runner.ts';

const says = (text: string): ScriptedReply => ({ blocks: [{ type: 'text', text }] });

async function withInstructions(text: string, body: (path: string) => Promise<void>): Promise<void> {
  const [root] = workspaceRoots();
  assert.ok(root);
  const path = join(root.path, 'AGENTS.md');
  await writeFile(path, text);
  try {
    await body(path);
  } finally {
    await rm(path);
    await closeEditors();
  }
}

/** The text of the document that the command opens, as soon as it holds `wanted`. */
async function shownContext(wanted: string): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('harness.showContext');
  return eventually(`“${wanted}” is shown`, () =>
    vscode.window.visibleTextEditors
      .map(({ document }) => document)
      .find((document) => document.uri.scheme === 'harness-text' && document.getText().includes(wanted)),
  );
}

test('context: a trusted folder’s AGENTS.md goes with the prompt, again only when it has changed', () =>
  withInstructions('Say please.', (path) =>
    withClaude([says('Please.'), says('Again.'), says('Thanks.')], async (claude) => {
      await vscode.commands.executeCommand('harness.newSession');
      const ask = async (prompt: string) => {
        await vscode.commands.executeCommand('harness.ask', prompt);
        return claude.requests.at(-1)?.raw ?? '';
      };
      const first = await ask('Hello');
      assert.match(first, /<environment_context>.*<INSTRUCTIONS>|<INSTRUCTIONS>.*<environment_context>/s);
      assert.equal(first.split('Say please.').length, 2);
      assert.equal((await ask('And?')).split('Say please.').length, 2, 'told once');
      await writeFile(path, 'Say thanks.');
      const shown = (await shownContext('Say thanks.')).getText();
      assert.match(shown, /as it was sent.*Say please\..*with the next prompt.*Say thanks\./s);
      const third = await ask('Well?');
      assert.ok(third.indexOf('Say thanks.') > third.indexOf('And?'), 'behind what was sent before');
      assert.deepEqual(claude.violations, []);
    }),
  ));

test('context: the system prompt of a session outlives a change of its setting', () =>
  withClaude([says('One.'), says('Two.'), says('Three.')], async (claude) => {
    const ask = async (prompt: string) => {
      await vscode.commands.executeCommand('harness.ask', prompt);
      return JSON.stringify(claude.requests.at(-1)?.body.system);
    };
    await vscode.commands.executeCommand('harness.newSession');
    const first = await ask('One?');
    await writeUserSetting('systemPrompt', 'Speak French.');
    try {
      assert.equal(await ask('Two?'), first);
      await vscode.commands.executeCommand('harness.newSession');
      assert.match(await ask('Three?'), /Speak French\./);
    } finally {
      await writeUserSetting('systemPrompt', '');
    }
    assert.deepEqual(claude.violations, []);
  }));

test('context: what is injected is shown, as it is now', () =>
  withInstructions('Say please.', async (path) => {
    const document = await shownContext('Say please.');
    const text = document.getText();
    assert.match(text, /You are Harness/);
    assert.ok(text.includes(`(from ${path})`));
    for (const part of ['Context: permissions', 'Context: environment', 'Tool: bash', '"command"'])
      assert.ok(text.includes(part), part);
    assert.ok(!text.includes('Tool: apply_patch'), 'that is for models that know it');
    await writeFile(path, 'Say thanks.');
    assert.equal(await shownContext('Say thanks.'), document, 'the one that is open');
  }));
