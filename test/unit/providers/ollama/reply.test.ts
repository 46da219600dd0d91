// What a line may be beyond the fixtures.
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { createOllamaProvider } from '../../../../extension/core/providers/ollama/ollama-provider.ts';
import { fetchWithProbes } from '../../../../extension/node/fetch.ts';
import { plain, playBytes, startWireServer } from '../../../../scripts/lib/wire/wire-server.ts';
import { DONE, line, SHOWN } from '../../../support/wire/ollama-server.ts';
import { ask, bodyOf, fixture, MODEL, provider, replying, turn } from './support.ts';

const reply = (...lines: readonly string[]) => ask(provider({ fetch: replying(...lines) }));
const call = (name: unknown, args: unknown, id?: string) => ({ id, function: { name, arguments: args } });

test('Calls come in several lines, the last one among them, and have ids of their own', async () => {
  const events = await reply(
    line({ tool_calls: [call('read', { path: 'a' })] }),
    line({ tool_calls: [call('read', { path: 'b' }), call('list', {}, 'call_x')] }),
    line({ tool_calls: [call('read', '{"path":"c"}')] }, DONE),
  );
  const calls = events.filter((event) => event.type === 'tool_call');
  expect(calls).toMatchObject([
    { name: 'read', input: { path: 'a' } },
    { name: 'read', input: { path: 'b' } },
    { id: 'call_x', name: 'list', input: {} },
    { name: 'read', input: { path: 'c' } },
  ]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
  for (const { id } of calls) expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'tool_calls' });
});

test('A call whose arguments are no object is told, and not mended', async () => {
  const events = await reply(
    line({ tool_calls: [call('read', '{"path":'), call('read', [1]), call('read', null)] }),
    line({}, DONE),
  );
  expect(events.slice(0, 3)).toMatchObject([
    { type: 'tool_call', input: {}, invalid: expect.stringContaining('not valid JSON') },
    { type: 'tool_call', input: {}, invalid: expect.stringContaining('not a JSON object') },
    { type: 'tool_call', input: {} },
  ]);
  expect(events[2]).not.toHaveProperty('invalid');
});

test('A call without a name is a damaged reply', async () => {
  const events = await reply(line({ tool_calls: [call(undefined, {})] }), line({}, DONE));
  expect(events).toMatchObject([{ type: 'error', error: { kind: 'stream_incomplete' } }]);
});

test('Thinking and text in turns are blocks in their order', async () => {
  const events = await reply(
    line({ thinking: 'One.' }),
    line({ thinking: 'Two.', content: 'A' }),
    line({ thinking: 'Three.' }),
    line({ content: 'B' }, DONE),
  );
  const blocks = events.filter(({ type }) => type === 'reasoning' || type === 'text');
  expect(blocks).toMatchObject([
    { type: 'reasoning', text: 'One.Two.', opaque: { provider: 'ollama', model: MODEL } },
    { type: 'text', text: 'A' },
    { type: 'reasoning', text: 'Three.' },
    { type: 'text', text: 'B' },
  ]);
});

test.each(['load', 'unload', 'stop'])('“%s” without a word is an empty reply', async (reason) => {
  const events = await reply(line({ content: ' \n' }), line({}, { ...DONE, done_reason: reason }));
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'empty_response', retryable: true } });
});

test('Nothing within the limit is no empty reply: the limit was the reason', async () => {
  const events = await reply(line({}, { ...DONE, done_reason: 'length' }));
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'length' });
});

test('A counter that is left out is estimated, and marked so', async () => {
  const words = 'word '.repeat(400);
  const messages = [{ role: 'user', content: [{ type: 'text', text: words }] }] as const;
  const lines = [line({ content: 'ok' }), line({}, { ...DONE, prompt_eval_count: undefined })];
  const events = await ask(provider({ fetch: replying(...lines) }), { messages });
  const [usage] = events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
  expect(usage).toMatchObject({ outputTokens: 12, cost: 0, estimated: true });
  expect(usage?.inputTokens).toBeCloseTo(500, -2);
});

test('No counters are no usage', async () => {
  const lines = [line({ content: 'ok' }), line({}, { done: true })];
  expect((await reply(...lines)).map(({ type }) => type)).toEqual(['text_delta', 'text', 'done']);
});

test('What runs in the cloud has no known price', async () => {
  const shown = { ...SHOWN, remote_host: 'https://ollama.com' };
  const lines = [line({ content: 'ok' }), line({}, DONE)];
  const events = await ask(provider({ fetch: replying(...lines) }, shown));
  expect(events.find(({ type }) => type === 'usage')).not.toHaveProperty('usage.cost');
});

test('A server that read far less than it was sent has cut the conversation: the reply does not count', async () => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'word '.repeat(20_000) }] }] as const;
  const lines = [line({ content: 'What was it?' }), line({}, { ...DONE, prompt_eval_count: 4096 })];
  const events = await ask(provider({ fetch: replying(...lines) }), { messages });
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    error: {
      kind: 'context_overflow',
      retryable: false,
      message: expect.stringMatching(/read 4096 of about 2500\d tokens/),
    },
  });
});

test.each([
  ['was read whole', 20_000, 20_007],
  ['fits into any window', 1600, 10],
])('A prompt that %s is not suspected', async (_name, words, read) => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'word '.repeat(words) }] }] as const;
  const lines = [line({ content: 'ok' }), line({}, { ...DONE, prompt_eval_count: read })];
  const events = await ask(provider({ fetch: replying(...lines) }), { messages });
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'end' });
});

test.each([
  ['a list', '[1]\n'],
  ['a number', '1\n'],
  ['a text', '"x"\n'],
])('A line that is %s is a damaged reply', async (_name, bad) => {
  const events = await reply(line({ content: 'Ha' }), bad, line({}, DONE));
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'stream_incomplete' } });
});

test('What is no stream at all names the setting', async () => {
  const events = await reply('<html><body>Welcome</body></html>');
  expect(events).toMatchObject([
    { type: 'error', error: { kind: 'server', message: expect.stringContaining('harness.ollama.baseUrl') } },
  ]);
});

test('A server that does not run: how to start it, and where its address stands', async () => {
  const server = await playBytes(fixture('O01'));
  await server.close();
  for (const fetchWith of [undefined, fetchWithProbes]) {
    const events = await ask(provider({ baseUrl: server.url, fetch: fetchWith }));
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'network', retryable: true } }]);
    const message = JSON.stringify(events);
    for (const word of ['ollama serve', 'harness.ollama.baseUrl', new URL(server.url).host])
      expect(message).toContain(word);
  }
});

test('A model that is not there: how to get it', async () => {
  const server = await playBytes(fixture('O10'));
  onTestFinished(() => server.close());
  const events = await ask(provider({ baseUrl: server.url }, undefined), { model: 'qwen9' });
  expect(JSON.stringify(events)).toContain('ollama pull qwen9');
});

test('A model is asked about once', async () => {
  const server = await startWireServer(({ path }) => {
    paths.push(path);
    return path === '/api/chat' ? plain(200, line({ content: 'ok' }, DONE)) : plain(200, SHOWN);
  }, console.error);
  onTestFinished(() => server.close());
  const paths: string[] = [];
  const asked = createOllamaProvider({ apiKey: '', baseUrl: server.url, clock: new ManualClock() });
  for (let count = 0; count < 2; count++) await ask(asked);
  expect(paths.sort()).toEqual(['/api/chat', '/api/chat', '/api/ps', '/api/show']);
});

test('A server that tells nothing of its models answers all the same', async () => {
  const server = await startWireServer(({ path }) => {
    return path === '/api/chat'
      ? plain(200, line({ content: 'ok' }, DONE))
      : plain(404, '404 page not found');
  }, console.error);
  onTestFinished(() => server.close());
  const asked = createOllamaProvider({ apiKey: '', baseUrl: server.url, clock: new ManualClock() });
  expect((await ask(asked)).at(-1)).toEqual({ type: 'done', stop: 'end' });
});

test('What is sent is what the model can do', async () => {
  const server = await playBytes(fixture('O01'));
  onTestFinished(() => server.close());
  await ask(provider({ baseUrl: server.url }), { effort: 'none' });
  await ask(provider({ baseUrl: server.url }), { effort: 'high' });
  await ask(provider({ baseUrl: server.url }));
  const bodies = server.requests.map(bodyOf);
  expect(bodies.map(({ think }) => think)).toEqual([false, true, undefined]);
  expect(bodies[0]).toMatchObject({
    stream: true,
    keep_alive: '30m',
    truncate: false,
    shift: false,
    options: { num_ctx: 40_960, num_predict: turn().maxTokens },
  });
});

test('A redirect is not followed', async () => {
  const elsewhere = await playBytes(fixture('O01'));
  onTestFinished(() => elsewhere.close());
  const server = await playBytes({ ...plain(307, ''), headers: { location: elsewhere.url } });
  onTestFinished(() => server.close());
  for (const fetchWith of [undefined, fetchWithProbes]) {
    const events = await ask(provider({ baseUrl: server.url, fetch: fetchWith }));
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'invalid_request' } }]);
  }
  expect(elsewhere.requests).toEqual([]);
});
