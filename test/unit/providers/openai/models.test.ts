import { expect, onTestFinished, test } from 'vitest';
import { ModelFailure } from '../../../../extension/core/ports/model.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { playBytes } from '../../../../scripts/lib/wire/wire-server.ts';
import { fixture, KEY, provider } from './support.ts';

const signal = new AbortController().signal;

async function list(data: unknown) {
  const server = await playBytes(fixture('C01'), { '/models': data });
  onTestFinished(() => server.close());
  return provider({ baseUrl: `${server.url}/`, clock: systemClock }).listModels(signal);
}

test.each([
  [
    'OpenAI',
    { id: 'gpt-5.6', object: 'model', created: 1, owned_by: 'openai' },
    { id: 'gpt-5.6', name: 'gpt-5.6' },
  ],
  [
    'OpenRouter',
    {
      id: 'anthropic/claude-sonnet-5-5',
      name: 'Anthropic: Claude Sonnet 5.5',
      context_length: 1_000_000,
      pricing: { prompt: '0.000002', completion: '0.00001', image: '0' },
      top_provider: { max_completion_tokens: 64_000 },
      supported_parameters: ['max_tokens', 'tools'],
    },
    {
      id: 'anthropic/claude-sonnet-5-5',
      name: 'Anthropic: Claude Sonnet 5.5',
      contextWindow: 1_000_000,
      maxOutput: 64_000,
      price: { input: 2, output: 10 },
      tools: true,
    },
  ],
  [
    'OpenRouter’s own choice',
    {
      id: 'openrouter/auto',
      name: 'Auto',
      pricing: { prompt: '-1', completion: '-1' },
      supported_parameters: [],
    },
    { id: 'openrouter/auto', name: 'Auto', tools: false },
  ],
  [
    'Gemini',
    { id: 'models/gemini-3.8-flash', display_name: 'Gemini 3.8 Flash' },
    { id: 'gemini-3.8-flash', name: 'Gemini 3.8 Flash' },
  ],
  [
    'Groq',
    { id: 'openai/gpt-oss-120b', context_window: 131_072, max_completion_tokens: 65_536 },
    { id: 'openai/gpt-oss-120b', name: 'openai/gpt-oss-120b', contextWindow: 131_072, maxOutput: 65_536 },
  ],
  [
    'Mistral',
    {
      id: 'devstral-latest',
      name: 'devstral-2',
      max_context_length: 262_144,
      capabilities: { function_calling: true },
    },
    { id: 'devstral-latest', name: 'devstral-2', contextWindow: 262_144, tools: true },
  ],
  ['vLLM', { id: 'qwen', max_model_len: 32_768 }, { id: 'qwen', name: 'qwen', contextWindow: 32_768 }],
  [
    'llama.cpp',
    { id: 'a.gguf', meta: { n_ctx: 8192, n_ctx_train: 40_960 } },
    { id: 'a.gguf', name: 'a.gguf', contextWindow: 8192 },
  ],
])('what %s tells of a model', async (_, told, model) => {
  expect(await list({ object: 'list', data: [told, { object: 'model' }, null] })).toEqual([model]);
});

test('a list that fails tells why, without the key', async () => {
  const refusal = { status: 401 };
  const refuse: typeof fetch = async () =>
    new Response(
      JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' } }),
      refusal,
    );
  const failure = provider({ fetch: refuse }).listModels(signal);
  await expect(failure).rejects.toBeInstanceOf(ModelFailure);
  await expect(failure).rejects.toMatchObject({
    error: { kind: 'auth', message: expect.not.stringContaining(KEY) },
  });
});

test('OpenAI wants a key, a server of the user’s own may do without', async () => {
  await expect(provider({ apiKey: '' }).listModels(signal)).rejects.toMatchObject({
    error: { kind: 'auth' },
  });
  const server = await playBytes(fixture('C01'), { '/models': { data: [] } });
  onTestFinished(() => server.close());
  expect(await provider({ apiKey: '', baseUrl: server.url, clock: systemClock }).listModels(signal)).toEqual(
    [],
  );
});
