import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SetupError } from '../../../extension/core/base/setup-error.ts';
import type { ProviderEntry } from '../../../extension/core/providers/catalog.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import { readSetting } from '../../../extension/vscode/base/settings.ts';
import { ApiKeys } from '../../../extension/vscode/models/api-keys.ts';
import type { ModelItem } from '../../../extension/vscode/models/model-items.ts';
import { Models } from '../../../extension/vscode/models/models.ts';
import { Providers } from '../../../extension/vscode/models/providers.ts';
import { providerOfError } from '../../../extension/vscode/panel/key-commands.ts';
import { withUserSetting, workspace } from './files.ts';
import { MemorySecrets } from './memory-secrets.ts';
import { eventually, test } from './runner.ts';

function setUp(environment: Record<string, string> = {}, secrets = new MemorySecrets()) {
  const keys = new ApiKeys(secrets, environment);
  const kept = new Map<string, unknown>();
  // What `Models` uses of it.
  const memory = {
    get: (name: string, fallback: unknown) => kept.get(name) ?? fallback,
    update: async (name: string, value: unknown) => void kept.set(name, value),
  } as unknown as vscode.Memento;
  const providers = new Providers(keys, systemClock);
  const models = new Models(providers, workspace, memory);
  return { keys, kept, providers, models };
}

function entryOf({ providers }: Pick<ReturnType<typeof setUp>, 'providers'>, name: string): ProviderEntry {
  const entry = providers.router().find(name);
  assert.ok(entry);
  return entry;
}

test('models: each provider has its own key and address, from the settings or the environment', async () => {
  const at = setUp();
  await at.keys.set('codex', 'sk-codex');
  await withUserSetting('harness.codex.baseUrl', 'http://127.0.0.1:8080/v1', async () => {
    assert.deepEqual(await at.providers.access(entryOf(at, 'codex')), {
      apiKey: 'sk-codex',
      baseUrl: 'http://127.0.0.1:8080/v1',
    });
    assert.equal((await at.providers.access(entryOf(at, 'openai'))).apiKey, '');
    assert.notEqual((await at.providers.access(entryOf(at, 'openai'))).baseUrl, 'http://127.0.0.1:8080/v1');
  });
});

test('models: an endpoint of the user’s is a provider, and no other address is taken for it', async () => {
  const endpoints = [
    { name: 'box', baseUrl: 'http://10.0.0.2:8000/v1', models: ['llama-*'], keyless: true },
    { name: 'openai', baseUrl: 'http://10.0.0.3:8000/v1' },
  ];
  const at = setUp({ BOX_API_KEY: 'unused' });
  await withUserSetting('harness.openaiCompatible.endpoints', endpoints, async () => {
    assert.equal(at.models.router.resolve('llama-4').entry.baseUrl, 'http://10.0.0.2:8000/v1');
    assert.ok(await at.providers.isReady(entryOf(at, 'box')));
    assert.ok(!(await at.providers.isReady(entryOf(at, 'openai'))));
    await withUserSetting('harness.openai.baseUrl', 'http://10.0.0.4:8000/v1', async () => {
      assert.equal((await at.providers.access(entryOf(at, 'openai'))).baseUrl, '');
    });
  });
});

test('models: a provider is kept as long as its key and its address are, whichever others are asked', async () => {
  const at = setUp({ ANTHROPIC_API_KEY: 'sk-ant-1' });
  const anthropic = entryOf(at, 'anthropic');
  const first = await at.providers.get(anthropic);
  await at.providers.get(entryOf(at, 'demo'));
  assert.equal(await at.providers.get(entryOf(at, 'anthropic')), first);
  await at.keys.set('anthropic', 'sk-ant-2');
  assert.notEqual(await at.providers.get(anthropic), first);
});

test('models: what is chosen is written and remembered; what is no model is refused with the nearest names', async () => {
  const at = setUp();
  await withUserSetting('harness.models.aliases', { fast: 'groq/llama-4' }, async () => {
    await withUserSetting('harness.model', 'demo/demo', async () => {
      await at.models.use('fast');
      assert.equal(readSetting('model'), 'fast');
      assert.equal((await at.models.describe()).model, 'groq/llama-4');
      await at.models.use('anthropic/claude-x');
      await at.models.use('groq/llama-4');
      assert.deepEqual([...at.kept.values()], [['groq/llama-4', 'anthropic/claude-x']]);
      await assert.rejects(
        at.models.use('sonet'),
        (error) => error instanceof SetupError && /Did you mean sonnet/.test(error.message),
      );
      assert.equal(readSetting('model'), 'groq/llama-4');
    });
  });
});

test('models: a run has its fallback and its effort from the settings', async () => {
  const at = setUp();
  await withUserSetting('harness.model', 'demo', async () => {
    assert.equal((await at.models.runSettings('one')).fallback, undefined);
    await withUserSetting('harness.fallbackModel', 'sonnet', async () => {
      await withUserSetting('harness.reasoningEffort', 'high', async () => {
        const { effort, fallback } = await at.models.runSettings('one');
        assert.equal(effort, 'high');
        await assert.rejects(fallback?.() ?? Promise.resolve(), /no API key for Anthropic/);
      });
    });
  });
});

test('models: the key that an error speaks of is that of the provider that refused it', async () => {
  const at = setUp();
  // The fields that are looked at.
  const events = [
    { type: 'request_started', provider: 'groq' },
    { type: 'error', code: 'auth' },
  ] as unknown as SessionEvent[];
  await withUserSetting('harness.model', 'codex/gpt-5', async () => {
    assert.equal(providerOfError(at, events).name, 'groq');
    assert.equal(providerOfError(at, events.slice(0, 1)).name, 'codex');
    assert.equal(at.models.keyedProvider().name, 'codex');
  });
  await withUserSetting('harness.model', 'ollama/llama', async () => {
    assert.equal(at.models.keyedProvider().name, 'anthropic');
  });
});

/** Types into the list of models, and presses Enter when all that will come has come. */
async function choose(models: Models, typed: string): Promise<void> {
  const { createQuickPick } = vscode.window;
  const picks: vscode.QuickPick<ModelItem>[] = [];
  const create = () => {
    const pick = createQuickPick<ModelItem>();
    picks.push(pick);
    return pick;
  };
  Object.assign(vscode.window, { createQuickPick: create });
  try {
    let isOver = false;
    const choosing = models.select().finally(() => {
      isOver = true;
    });
    const pick = await eventually('the list is open', () => picks[0]);
    await eventually('it is whole', () => !pick.busy && pick.items.some(({ label }) => label === 'Demo'));
    pick.value = typed;
    await eventually('one is chosen', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isOver;
    });
    await choosing;
  } finally {
    Object.assign(vscode.window, { createQuickPick });
  }
}

test('models: where keys cannot be read, one that needs none is chosen all the same', async () => {
  const locked = new MemorySecrets();
  locked.get = () => Promise.reject(new Error('The keyring is locked.'));
  const at = setUp({}, locked);
  await withUserSetting('harness.model', 'sonnet', async () => {
    await choose(at.models, 'demo/demo');
    assert.equal(readSetting('model'), 'demo/demo');
  });
});
