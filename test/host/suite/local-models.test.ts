import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DONE_CACHED, line, startOllama } from '../../support/wire/ollama-server.ts';
import { withUserSetting } from './files.ts';
import { test } from './runner.ts';

test('local models: a model of Ollama answers in the editor, at the address of the setting, without a key', async () => {
  const ollama = await startOllama(
    line({ tool_calls: [{ function: { name: 'ls', arguments: { path: '.' } } }] }) + line({}, DONE_CACHED),
    line({ content: 'From Ollama.' }) + line({}, DONE_CACHED),
  );
  try {
    await withUserSetting('harness.ollama.baseUrl', ollama.url, () =>
      withUserSetting('harness.model', 'ollama/qwen3', async () => {
        await vscode.commands.executeCommand('harness.newSession');
        const { session, reason } = await vscode.commands.executeCommand<{ session: string; reason: string }>(
          'harness.ask',
          'What is here?',
        );
        assert.equal(reason, 'done');
        const log = join(process.env.HARNESS_HOME ?? '', 'sessions', session, 'events.jsonl');
        assert.match(await readFile(log, 'utf8'), /"content":"From Ollama\."/);
      }),
    );
    assert.equal(ollama.chats.length, 2);
    assert.match(ollama.chats[0]?.raw ?? '', /"num_ctx":40960/);
    assert.match(ollama.chats[1]?.raw ?? '', /"role":"tool"/);
  } finally {
    await ollama.close();
  }
});
