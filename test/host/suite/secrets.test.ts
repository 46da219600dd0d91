import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Router } from '../../../extension/core/providers/router.ts';
import { ApiKeys } from '../../../extension/vscode/models/api-keys.ts';
import {
  clearOneApiKey,
  type KeyedProvider,
  keyProblem,
  pickProvider,
  setApiKey,
} from '../../../extension/vscode/models/set-api-key.ts';
import { MemorySecrets } from './memory-secrets.ts';
import { eventually, test } from './runner.ts';

// They have keys.
const ANTHROPIC = new Router().find('anthropic') as KeyedProvider;
const GROQ = new Router().find('groq') as KeyedProvider;

test('secrets: a stored key comes before the environment’s', async () => {
  const storage = new MemorySecrets();
  const keys = new ApiKeys(storage, { ANTHROPIC_API_KEY: ' from-environment ' });
  assert.deepEqual(await keys.get(ANTHROPIC), { value: 'from-environment', source: 'environment' });
  await keys.set('anthropic', ' stored\n');
  assert.deepEqual(await keys.get(ANTHROPIC), { value: 'stored', source: 'stored' });
  assert.deepEqual([...storage.values.keys()], ['harness.apiKey.anthropic']);
  await keys.clear('anthropic');
  assert.equal((await keys.get(ANTHROPIC))?.source, 'environment');
  keys.dispose();
});

test('secrets: OpenAI’s two APIs share the key of the environment, and none that is stored', async () => {
  const [codex, openai] = ['codex', 'openai'].map((name) => new Router().find(name) as KeyedProvider);
  assert.ok(codex && openai);
  assert.notEqual(codex.label, openai.label);
  const keys = new ApiKeys(new MemorySecrets(), { OPENAI_API_KEY: 'sk-shared' });
  for (const provider of [codex, openai]) assert.equal((await keys.get(provider))?.value, 'sk-shared');
  await keys.set('codex', 'sk-responses');
  assert.deepEqual(await keys.get(codex), { value: 'sk-responses', source: 'stored' });
  assert.deepEqual(await keys.get(openai), { value: 'sk-shared', source: 'environment' });
  await keys.set('openai', 'sk-chat');
  await keys.clear('codex');
  assert.equal((await keys.get(codex))?.value, 'sk-shared');
  assert.equal((await keys.get(openai))?.value, 'sk-chat');
  keys.dispose();
});

test('secrets: no key is no key', async () => {
  const keys = new ApiKeys(new MemorySecrets(), { ANTHROPIC_API_KEY: ' ' });
  assert.equal(await keys.get(ANTHROPIC), undefined);
  assert.equal(await keys.get({ name: 'constructor' }), undefined);
  keys.dispose();
});

test('secrets: a change is told with the provider’s name; other extensions’ secrets are not ours', async () => {
  const storage = new MemorySecrets();
  const keys = new ApiKeys(storage, {});
  const changed: string[] = [];
  keys.onDidChange((provider) => changed.push(provider));
  await keys.set('anthropic', 'x');
  await storage.store('somebody.else', 'y');
  await keys.clear('anthropic');
  assert.deepEqual(changed, ['anthropic', 'anthropic']);
  keys.dispose();
});

test('secrets: what a key looks like', () => {
  assert.equal(keyProblem('sk-ant-abc', ANTHROPIC), undefined);
  assert.equal(keyProblem('  sk-ant-abc\n', ANTHROPIC), undefined);
  for (const wrong of ['', '   ', 'two words', 'sk-ant-ä', 'a\u200bb']) {
    assert.equal(typeof keyProblem(wrong, ANTHROPIC), 'string', JSON.stringify(wrong));
  }
  const other = keyProblem('another-kind', ANTHROPIC);
  assert.ok(typeof other === 'object' && other.severity === vscode.InputBoxValidationSeverity.Warning);
});

test('secrets: an input that is given up stores nothing', async () => {
  const storage = new MemorySecrets();
  const keys = new ApiKeys(storage, {});
  let done = false;
  const asking = setApiKey(keys, ANTHROPIC).finally(() => {
    done = true;
  });
  await eventually('the input is closed', async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    return done;
  });
  assert.equal(await asking, false);
  assert.equal(storage.values.size, 0);
  keys.dispose();
});

test('secrets: the provider is asked for, and the first one is that of the model in use', async () => {
  const keys = new ApiKeys(new MemorySecrets(), {});
  let picked: KeyedProvider | undefined;
  const asking = pickProvider(keys, [GROQ, ANTHROPIC], 'Set API Key').then((provider) => {
    picked = provider;
  });
  await eventually('one is chosen', async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return picked !== undefined;
  });
  await asking;
  assert.equal(picked?.name, 'groq');
  keys.dispose();
});

test('secrets: the one key that is stored is that which is cleared, once that is confirmed', async () => {
  const storage = new MemorySecrets();
  const keys = new ApiKeys(storage, {});
  await keys.set('groq', 'gsk_x');
  const asked = await withAnswer('Remove', () => clearOneApiKey(keys, [ANTHROPIC, GROQ]));
  assert.match(asked, /Groq/);
  assert.equal(storage.values.size, 0);
  keys.dispose();
});

/** Answers the next question with the button of this name; resolves with the question. */
async function withAnswer(button: string, body: () => Promise<void>): Promise<string> {
  const { showWarningMessage } = vscode.window;
  let question = '';
  const answer = async (asked: string) => {
    question = asked;
    return button;
  };
  Object.assign(vscode.window, { showWarningMessage: answer });
  try {
    await body();
  } finally {
    Object.assign(vscode.window, { showWarningMessage });
  }
  return question;
}
