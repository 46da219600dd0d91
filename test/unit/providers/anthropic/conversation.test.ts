// Whole conversations against a server that refuses what the real one would.
import { expect, onTestFinished, test } from 'vitest';
import type { Message, ModelEvent, ToolSpec } from '../../../../extension/core/ports/model.ts';
import { ModelFailure } from '../../../../extension/core/ports/model.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import type { ScriptedReply } from '../../../../scripts/lib/claude/anthropic-script.ts';
import { type FakeOptions, playScript, type Script } from '../../../../scripts/lib/claude/fake-anthropic.ts';
import { assistantBlocks, collect } from '../../../support/wire/neutral.ts';
import { KEY, MODEL, provider, turn, unmarked } from './support.ts';

async function serve(script: Script, options?: FakeOptions) {
  const server = await playScript(script, options);
  onTestFinished(() => server.close());
  return server;
}

const tools: readonly ToolSpec[] = ['read', 'write'].map((name) => ({
  name,
  description: `It can ${name}.`,
  inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} },
}));

/** Plays the loop's part: answers each call, and goes on as long as there are calls or a pause. */
async function converse(baseUrl: string, model: string, prompts: readonly string[]): Promise<ModelEvent[]> {
  const asked = provider({ baseUrl, clock: systemClock });
  const messages: Message[] = [];
  const all: ModelEvent[] = [];
  for (const prompt of prompts) {
    messages.push({ role: 'user', content: [{ type: 'text', text: prompt }] });
    for (let goesOn = true; goesOn; ) {
      const events = await collect(
        asked.streamTurn(turn({ model, messages, tools }), new AbortController().signal),
      );
      all.push(...events);
      messages.push({ role: 'assistant', content: assistantBlocks(events) });
      const results = events.flatMap((event) =>
        event.type === 'tool_call'
          ? [
              {
                type: 'tool_result',
                id: event.id,
                content: `{"of":"${event.name}"}`,
                isError: false,
              } as const,
            ]
          : [],
      );
      if (results.length > 0) messages.push({ role: 'user', content: results });
      const last = events.at(-1);
      goesOn = last?.type === 'done' && (last.stop === 'tool_calls' || last.stop === 'pause');
    }
  }
  return all;
}

const replies: readonly ScriptedReply[] = [
  {
    blocks: [
      { type: 'thinking', thinking: 'Look first.' },
      { type: 'text', text: 'I will read.' },
      { type: 'thinking', thinking: '' },
      { type: 'tool_use', name: 'read', input: { path: 'b.ts', limit: 1 } },
    ],
    chunkSize: 3,
  },
  {
    blocks: [
      { type: 'redacted_thinking', data: 'EmwKAhgB' },
      { type: 'tool_use', name: 'read', input: {} },
      { type: 'tool_use', name: 'write', input: { z: 1, a: 'ü' } },
    ],
  },
  {
    blocks: [
      { type: 'text', text: 'Half of ' },
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { q: 1 } },
    ],
    stop_reason: 'pause_turn',
  },
  { blocks: [{ type: 'text', text: 'it is done.' }] },
  {
    blocks: [
      { type: 'thinking', thinking: 'Again.' },
      { type: 'tool_use', name: 'write', input: { path: 'c' } },
    ],
  },
  { blocks: [{ type: 'text', text: 'All done.' }] },
];

test('Requests of a conversation begin with the same bytes, and none is refused', async () => {
  const server = await serve((_request, index) => replies[index] ?? {});
  await converse(server.url, MODEL, ['Do it.', 'Once more.']);
  expect(server.violations).toEqual([]);
  expect(server.requests).toHaveLength(replies.length);
  const prefixes = server.requests.map(({ body }) => prefixBytes(body));
  for (const [index, later] of prefixes.slice(1).entries())
    expect(later.startsWith(prefixes[index] ?? '')).toBe(true);
});

/** The request's bytes without cache marks and without what closes the last message. */
function prefixBytes(body: object): string {
  const { messages, ...rest } = unmarked(body) as { messages: { role: string; content: unknown[] }[] };
  const blocks = messages.flatMap(({ role, content }) =>
    content.map((block) => `${role}${JSON.stringify(block)}`),
  );
  return JSON.stringify(rest) + blocks.join('');
}

test('Each request marks what the one before it wrote to the cache', async () => {
  const server = await serve((_request, index) => replies[index] ?? {});
  await converse(server.url, MODEL, ['Do it.', 'Once more.']);
  const marked = server.requests.map(({ body }) =>
    body.messages.flatMap(({ content }, at) =>
      JSON.stringify(content).includes('cache_control') ? [at] : [],
    ),
  );
  for (const [index, later] of marked.slice(1).entries()) expect(later).toContain(marked[index]?.at(-1));
});

test('With another model what the first one thought stays at home', async () => {
  const server = await serve((_request, index) => replies[index % 2 === 0 ? 0 : 5] ?? {});
  const events = await converse(server.url, 'claude-haiku-4-5', ['Do it.']);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'end' });
  expect(server.requests[0]?.body.thinking).toBeUndefined();
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'Do it otherwise.' }] },
    { role: 'assistant', content: assistantBlocks(events).filter(({ type }) => type !== 'tool_call') },
    { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
  ];
  await collect(
    provider({ baseUrl: server.url, clock: systemClock }).streamTurn(
      turn({ messages, tools }),
      new AbortController().signal,
    ),
  );
  expect(server.violations).toEqual([]);
  expect(server.requests.at(-1)?.raw).not.toContain('"signature"');
});

test('A wrong key is told without the key', async () => {
  const server = await serve(() => ({}), { apiKey: 'another' });
  const events = await converse(server.url, MODEL, ['Do it.']);
  expect(events).toMatchObject([{ type: 'error', error: { kind: 'auth', status: 401, retryable: false } }]);
  expect(JSON.stringify(events)).not.toContain(KEY);
});

test('The models are listed with what the API tells of them', async () => {
  const models = [
    {
      id: 'claude-opus-5-5',
      display_name: 'Claude Opus 5.5',
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
    },
    { id: 'local', display_name: '', max_input_tokens: null, max_tokens: null },
  ];
  const server = await serve(() => ({}), { models });
  expect(await provider({ baseUrl: server.url }).listModels(new AbortController().signal)).toEqual([
    {
      ...{ id: 'claude-opus-5-5', name: 'Claude Opus 5.5', contextWindow: 1_000_000, maxOutput: 128_000 },
      price: { input: 4, output: 20 },
    },
    { id: 'local', name: 'local', contextWindow: undefined, maxOutput: undefined },
  ]);
});

test('A list of models that fails tells why', async () => {
  const server = await serve(() => ({}), { apiKey: 'another' });
  const signal = new AbortController().signal;
  const failure = provider({ baseUrl: server.url }).listModels(signal);
  await expect(failure).rejects.toBeInstanceOf(ModelFailure);
  await expect(failure).rejects.toMatchObject({ error: { kind: 'auth', retryable: false } });
  await expect(provider({ apiKey: '' }).listModels(signal)).rejects.toMatchObject({
    error: { kind: 'auth' },
  });
  const cancelled = provider({ baseUrl: server.url }).listModels(AbortSignal.abort());
  await expect(cancelled).rejects.toMatchObject({ error: { message: expect.stringContaining('canceled') } });
});

test('What a request has cost so far is told also of a broken one', async () => {
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 100,
    output_tokens: 5,
  };
  const error = { type: 'overloaded_error', message: 'Overloaded' };
  const server = await serve(() => ({ blocks: [{ type: 'text', text: 'ok' }], usage, error }));
  const events = await converse(server.url, MODEL, ['Do it.']);
  const cost = expect.closeTo((10 * 4 + 1000 * 0.2 + 100 * 5 + 5 * 20) / 1e6, 12);
  expect(events.slice(-2)).toMatchObject([
    { usage: { inputTokens: 1110, outputTokens: 5, cacheReadTokens: 1000, cacheWriteTokens: 100, cost } },
    { type: 'error', error: { kind: 'overloaded' } },
  ]);
});
