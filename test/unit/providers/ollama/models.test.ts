import { expect, onTestFinished, test } from 'vitest';
import { ModelFailure } from '../../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import {
  chooseWindow,
  readFacts,
  UNKNOWN_FACTS,
} from '../../../../extension/core/providers/ollama/model-facts.ts';
import { createOllamaProvider } from '../../../../extension/core/providers/ollama/ollama-provider.ts';
import { fetchWithProbes } from '../../../../extension/node/fetch.ts';
import { plain, startWireServer } from '../../../../scripts/lib/wire/wire-server.ts';

/** A server with these models, by what it shows of them. */
async function serve(models: Readonly<Record<string, object>>, loaded: readonly object[] = []) {
  const server = await startWireServer(({ path, body }) => {
    if (path === '/api/tags') return plain(200, { models: Object.keys(models).map((name) => ({ name })) });
    if (path === '/api/ps') return plain(200, { models: loaded });
    // As the provider asks it.
    const { model } = body as { model: string };
    return models[model] ? plain(200, models[model]) : plain(404, { error: `model '${model}' not found` });
  }, console.error);
  onTestFinished(() => server.close());
  return createOllamaProvider({ apiKey: '', baseUrl: server.url, clock: new ManualClock() });
}

const signal = new AbortController().signal;

const LLAMA = {
  capabilities: ['completion', 'tools'],
  model_info: {
    'general.architecture': 'llama',
    'llama.context_length': 131_072,
    'llama.block_count': 32,
    'llama.embedding_length': 4096,
    'llama.attention.head_count': 32,
    'llama.attention.head_count_kv': 8,
  },
};

test('Models are listed with the window that they are run in, and what they can', async () => {
  const provider = await serve({
    'llama3.1:8b': LLAMA,
    'qwen3:latest': {
      capabilities: ['completion', 'thinking'],
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
    },
    'nomic-embed-text:latest': { capabilities: ['embedding'] },
    'old:latest': {},
    'big:cloud': {
      capabilities: ['completion', 'tools'],
      remote_host: 'https://ollama.com',
      model_info: { 'general.architecture': 'g', 'g.context_length': 262_144 },
    },
  });
  const free = { price: { input: 0, output: 0 } };
  expect(await provider.listModels(signal)).toEqual([
    { id: 'llama3.1:8b', name: 'llama3.1:8b', contextWindow: 65_536, tools: true, ...free },
    { id: 'qwen3:latest', name: 'qwen3:latest', contextWindow: 40_960, tools: false, ...free },
    { id: 'old:latest', name: 'old:latest', contextWindow: 32_768, tools: undefined, ...free },
    { id: 'big:cloud', name: 'big:cloud', contextWindow: 262_144, tools: true },
  ]);
});

test('A model that is loaded keeps its window, since another would load it anew', async () => {
  const provider = await serve({ 'llama3.1:latest': LLAMA }, [
    { name: 'other:latest', context_length: 20_000 },
    { name: 'llama3.1:latest', model: 'llama3.1:latest', context_length: 100_000 },
  ]);
  expect(await provider.listModels(signal)).toMatchObject([{ contextWindow: 100_000 }]);
});

test('A server that does not run, or is another one, is told', async () => {
  const server = await startWireServer(() => plain(200, { hello: 'world' }), console.error);
  const { listModels } = createOllamaProvider({
    apiKey: '',
    baseUrl: server.url,
    clock: new ManualClock(),
    fetch: fetchWithProbes,
  });
  await expect(listModels(signal)).rejects.toBeInstanceOf(ModelFailure);
  await expect(listModels(signal)).rejects.toThrow('harness.ollama.baseUrl');
  await server.close();
  await expect(listModels(signal)).rejects.toThrow('ollama serve');
});

test.each([
  ['what an agent needs', { trained: 131_072 }, 65_536],
  ['what the model was made for', { trained: 8192 }, 8192],
  ['what the memory bears', { trained: 131_072, bytesPerToken: 2 ** 18 }, 32_768],
  ['at least what an agent can work with', { trained: 131_072, bytesPerToken: 2 ** 22 }, 16_384],
  ['the user’s choice in the Modelfile', { trained: 131_072, pinned: 100_000, loaded: 20_000 }, 100_000],
  ['never more than it was made for', { trained: 32_768, pinned: 100_000 }, 32_768],
  ['the loaded window', { trained: 131_072, loaded: 20_000 }, 20_000],
  [
    'more than the default that is too small for an agent',
    { trained: 131_072, pinned: 4096, loaded: 4096 },
    65_536,
  ],
  ['all of it in the cloud', { trained: 262_144, isRemote: true, bytesPerToken: 2 ** 22 }, 262_144],
  ['a guess where nothing is told', {}, 32_768],
])('The window is %s', (_name, facts, window) => {
  expect(chooseWindow({ isRemote: false, ...facts })).toBe(window);
});

test('What a server shows, in its older and newer forms', () => {
  expect(readFacts('m', undefined, undefined)).toBe(UNKNOWN_FACTS);
  expect(readFacts('m', 'nonsense', 7)).toBe(UNKNOWN_FACTS);
  expect(
    readFacts('m', { parameters: 'stop "x"\nnum_ctx                        20000\n' }, undefined),
  ).toMatchObject({
    window: 20_000,
    think: undefined,
  });
  const capabilities = ['completion', 'thinking'];
  expect(readFacts('m', { capabilities }, undefined).think).toEqual([false, true]);
  expect(readFacts('m', { capabilities: ['completion'] }, undefined).think).toEqual([]);
  expect(readFacts('m', { capabilities, details: { family: 'gptoss' } }, undefined).think).toContain(
    'medium',
  );
  const thinking = { values: ['high', 'max', false], default: 'high' };
  expect(readFacts('m', { capabilities, thinking }, undefined).think).toEqual(['high', 'max', false]);
  // 72 layers of 8 heads with 128 + 128 values of two bytes: 288 KiB for each token, of 8 GiB.
  const shape = {
    'general.architecture': 'q',
    'q.context_length': 262_144,
    'q.block_count': 72,
    'q.attention.head_count_kv': 8,
    'q.attention.key_length': 128,
    'q.attention.value_length': 128,
  };
  expect(readFacts('m', { model_info: shape }, undefined).window).toBe(28_672);
});
