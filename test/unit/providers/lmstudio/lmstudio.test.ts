import { createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelEvent, ModelProvider } from '../../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { createLmStudioProvider } from '../../../../extension/core/providers/lmstudio/lmstudio-provider.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { type Fixture, plain, playBytes } from '../../../../scripts/lib/wire/wire-server.ts';
import { collect, expectEvents, neutral } from '../../../support/wire/neutral.ts';
import { fixture, turn } from '../openai/support.ts';

const signal = new AbortController().signal;

async function serve(played: Fixture, lists: Readonly<Record<string, unknown>> = {}) {
  const server = await playBytes(played, lists);
  onTestFinished(() => server.close());
  return server;
}

function provider(baseUrl: string): ModelProvider {
  return createLmStudioProvider({ apiKey: '', baseUrl, clock: systemClock });
}

function ask(baseUrl: string, model = 'qwen3-8b'): Promise<ModelEvent[]> {
  return collect(provider(baseUrl).streamTurn(turn({ model }), signal));
}

const loaded = (context: number) => ({
  data: [
    { id: 'gemma-3-4b', type: 'vlm', state: 'not-loaded', max_context_length: 131_072 },
    { id: 'text-embedding-nomic', type: 'embeddings', state: 'not-loaded', max_context_length: 2048 },
    {
      id: 'qwen3-8b',
      type: 'llm',
      state: 'loaded',
      max_context_length: 40_960,
      loaded_context_length: context,
      capabilities: ['tool_use'],
    },
  ],
  object: 'list',
});

test.each(['', '/v1', '/v1/'])('an address that ends with “%s” is asked at /v1', async (path) => {
  const server = await serve(fixture('C01'));
  expectEvents(neutral(await ask(`${server.url}${path}`)), fixture('C01').expect.events);
  expect(server.requests.map((request) => request.path)).toEqual(['/v1/chat/completions']);
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

test('the context of a loaded model is the one it was loaded with', async () => {
  const server = await serve(fixture('C01'), { '/api/v0/models': loaded(4096) });
  expect(await provider(`${server.url}/v1`).listModels(signal)).toEqual([
    { id: 'qwen3-8b', name: 'qwen3-8b', contextWindow: 4096, tools: true },
    { id: 'gemma-3-4b', name: 'gemma-3-4b', contextWindow: 131_072 },
  ]);
});

test('a server without the older list is asked for the newer one', async () => {
  const server = await serve(fixture('C01'), {
    '/api/v0/models': { error: 'Unexpected endpoint or method. (GET /api/v0/models)' },
    '/api/v1/models': {
      models: [
        { type: 'embedding', key: 'nomic', display_name: 'Nomic', loaded_instances: [] },
        {
          type: 'llm',
          key: 'google/gemma-4-12b',
          display_name: 'Gemma 4 12B',
          max_context_length: 262_144,
          loaded_instances: [{ id: 'google/gemma-4-12b', config: { context_length: 122_880 } }],
          capabilities: { vision: true, trained_for_tool_use: true },
        },
      ],
    },
  });
  expect(await provider(server.url).listModels(signal)).toEqual([
    { id: 'google/gemma-4-12b', name: 'Gemma 4 12B', contextWindow: 122_880, tools: true },
  ]);
});

test('a server without lists of its own tells the ids', async () => {
  const server = await serve(fixture('C01'), {
    '/v1/models': { data: [{ id: 'qwen3-8b', object: 'model' }] },
  });
  expect(await provider(server.url).listModels(signal)).toEqual([{ id: 'qwen3-8b', name: 'qwen3-8b' }]);
});

test('C16: an overflow that comes as an event of the stream is one', async () => {
  const server = await serve(fixture('C16'));
  expectEvents(neutral(await ask(server.url)), fixture('C16').expect.events);
});

test('C20: thinking between tags is told as such of every model', async () => {
  const server = await serve(fixture('C20'));
  expectEvents(neutral(await ask(server.url, 'gemma-3-4b')), fixture('C20').expect.events);
});

test('C24: an empty answer to a prompt as long as the context is an overflow, with both numbers', async () => {
  const server = await serve(fixture('C24'), { '/api/v0/models': loaded(32_768) });
  const events = await ask(server.url);
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    error: {
      kind: 'context_overflow',
      retryable: false,
      message: expect.stringMatching(/36000 tokens.*32768/),
    },
  });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['larger', { '/api/v0/models': loaded(131_072) }],
  ['unknown', {}],
])('C24: an empty answer with a context that is %s says what may be wrong', async (_, lists) => {
  const server = await serve(fixture('C24'), lists);
  const events = await ask(server.url);
  expectEvents(neutral(events), fixture('C24').expect.events);
  expect(events.at(-1)).toMatchObject({
    error: { kind: 'empty_response', message: expect.stringContaining('Reload the model with a larger one') },
  });
});

test('a server that is not running is told in one sentence, with what to do', async () => {
  const port = await freePort();
  const told = {
    kind: 'network',
    retryable: true,
    message: expect.stringMatching(
      new RegExp(`not running at 127.0.0.1:${port}\\..*lms server start.*harness\\.lmstudio\\.baseUrl`),
    ),
  };
  expect(await ask(`http://127.0.0.1:${port}/v1`)).toMatchObject([{ type: 'error', error: told }]);
  await expect(provider(`http://127.0.0.1:${port}`).listModels(signal)).rejects.toMatchObject({
    error: told,
  });
});

test('a model that is not loaded is told with the words of the server', async () => {
  const message =
    'No models loaded. Please load a model in the developer page or use the `lms load` command.';
  const body = { error: { message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' } };
  const server = await serve(plain(404, body));
  expect(await ask(server.url)).toMatchObject([
    {
      type: 'error',
      error: { kind: 'not_found', retryable: false, message: expect.stringContaining('lms load') },
    },
  ]);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a model that loads for hours is waited for, until the user stops', async () => {
  const clock = new ManualClock();
  const server = await serve({ ...fixture('C01'), chunks: [], close: 'hang', delayHeaders: true });
  const asked = createLmStudioProvider({ apiKey: '', baseUrl: server.url, clock });
  const abort = new AbortController();
  const events = collect(asked.streamTurn(turn(), abort.signal));
  await expect.poll(() => server.requests.length).toBe(1);
  // One long step would look like a computer that was asleep.
  for (let minutes = 0; minutes < 60; minutes += 5) {
    clock.advance(5 * 60_000);
    await setImmediate();
  }
  expect(server.requests[0]?.disconnected).toBe(false);
  abort.abort();
  expect(await events).toEqual([]);
  await expect.poll(() => server.requests[0]?.disconnected).toBe(true);
});
