// What the fixtures do not have: more ways in which servers write a reply.
import { expect, test } from 'vitest';
import type { ModelEvent, Turn } from '../../../../extension/core/ports/model.ts';
import { ask, call, delta, entryOf, streaming } from './support.ts';

const DONE = 'data: [DONE]';

function read(chunks: readonly unknown[], changes: Partial<Turn> = {}): Promise<ModelEvent[]> {
  return ask({ fetch: streaming(...chunks) }, changes);
}

async function callsOf(chunks: readonly unknown[], changes: Partial<Turn> = {}) {
  const events = await read([...chunks, delta({}, 'stop'), DONE], changes);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'tool_calls' });
  return events.flatMap((event) => (event.type === 'tool_call' ? [[event.name, event.input]] : []));
}

const A = ['read', { path: 'a' }];
const B = ['read', { path: 'b' }];
const whole = (path: string) => ({ name: 'read', arguments: JSON.stringify({ path }) });

test.each([
  ['no index and no id, each whole', [call({}, whole('a')), call({}, whole('b'))]],
  ['empty ids and no index', [call({ id: '' }, whole('a')), call({ id: '' }, whole('b'))]],
  [
    'the same index, with ids',
    [call({ index: 0, id: 'x' }, whole('a')), call({ index: 0, id: 'y' }, whole('b'))],
  ],
  ['the same index without ids', [call({ index: 0 }, whole('a')), call({ index: 0 }, whole('b'))]],
  ['ids and no index', [call({ id: 'x' }, whole('a')), call({ id: 'y' }, whole('b'))]],
  ['one id for both', [call({ index: 0, id: 'x' }, whole('a')), call({ index: 1, id: 'x' }, whole('b'))]],
  [
    'ids that come late',
    [
      call({ index: 0 }, { name: 'read' }),
      call({ index: 0, id: 'x' }, { arguments: '{"path":"a"}' }),
      call({ index: 1 }, whole('b')),
    ],
  ],
  [
    'both in one chunk',
    [
      delta({
        tool_calls: [
          { index: 0, id: 'x', function: whole('a') },
          { index: 1, id: 'y', function: whole('b') },
        ],
      }),
    ],
  ],
  [
    'fragments without an index behind an id',
    [
      call({ id: 'x' }, { name: 'read', arguments: '' }),
      call({}, { arguments: '{"path":' }),
      call({}, { arguments: '"a"}' }),
      call({ id: 'y' }, whole('b')),
    ],
  ],
])('two calls with %s are two calls', async (_, chunks) => {
  expect(await callsOf(chunks)).toEqual([A, B]);
});

test('calls without an id, or with one that was there before, get one of their own', async () => {
  const messages: Turn['messages'] = [
    { role: 'user', content: [{ type: 'text', text: 'q' }] },
    { role: 'assistant', content: [{ type: 'tool_call', id: 'call_0', name: 'read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', id: 'call_0', content: 'x', isError: false }] },
  ];
  const chunks = [
    call({ index: 0, id: 'call_0' }, whole('a')),
    call({ index: 1, id: 'call_1' }, whole('b')),
    call({ index: 2, id: 'call_1' }, whole('c')),
    call({ index: 3 }, whole('d')),
  ];
  const events = await read([...chunks, DONE], { messages });
  const ids = events.flatMap((event) => (event.type === 'tool_call' ? [event.id] : []));
  expect(ids).toEqual([
    expect.stringMatching(/^call_\w{32}$/),
    'call_1',
    ...Array(2).fill(expect.stringMatching(/^call_\w{32}$/)),
  ]);
  expect(new Set(['call_0', ...ids]).size).toBe(5);
  const shown = events.flatMap((event) => (event.type === 'tool_input_delta' ? [event.id] : []));
  expect(shown).toEqual(ids);
});

test('a call is told of while it is written, by its bytes', async () => {
  const events = await read([
    call({ index: 0, id: 'x' }, { name: 'write', arguments: '{"text":' }),
    call({ index: 0 }, { arguments: '"ü"}' }),
    delta({}, 'tool_calls'),
  ]);
  expect(events.filter(({ type }) => type === 'tool_input_delta')).toEqual([
    { type: 'tool_input_delta', id: 'x', name: 'write', bytes: 8 },
    { type: 'tool_input_delta', id: 'x', name: 'write', bytes: 13 },
  ]);
});

test.each([
  ['an array', '[1]', 'not a JSON object'],
  ['half of it', '{"a":', 'not valid JSON'],
  ['two objects', '{}{}', 'not valid JSON'],
])('arguments that are %s are told as such, and nothing is mended', async (_, json, why) => {
  const events = await read([
    call({ index: 0, id: 'x' }, { name: 'ls', arguments: json }),
    delta({}, 'stop'),
  ]);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'tool_call', input: {}, invalid: expect.stringContaining(why) }),
  );
});

test('C21: the call in which the limit fell is named, those before it are whole', async () => {
  const events = await read([
    call({ index: 0, id: 'x' }, whole('a')),
    call({ index: 1, id: 'y' }, { name: 'write', arguments: '{"text":"half' }),
    delta({}, 'length'),
    DONE,
  ]);
  expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'length', cutCall: 'write' });
});

test('a call that has only its name when the limit comes is cut', async () => {
  const events = await read([call({ index: 0, id: 'x' }, { name: 'write' }), delta({}, 'length')]);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'length', cutCall: 'write' });
  expect(events.filter(({ type }) => type === 'tool_call')).toEqual([]);
});

test.each([
  ['', 'end'],
  ['eos', 'end'],
  ['stop', 'end'],
  ['tool_calls', 'end'],
  ['max_tokens', 'length'],
  ['content_filter', 'refusal'],
  ['model_context_window_exceeded', 'context_exceeded'],
])('a text that ends with the reason “%s” is done: %s', async (reason, stop) => {
  const events = await read([delta({ content: 'a' }, reason), DONE]);
  expect(events.at(-1)).toEqual({ type: 'done', stop });
});

test('calls of a refused reply are not told', async () => {
  const events = await read([call({ index: 0, id: 'x' }, whole('a')), delta({}, 'content_filter')]);
  expect(events.filter(({ type }) => type === 'tool_call')).toEqual([]);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'refusal' });
});

test.each([
  ['[DONE] and no reason', [delta({ content: 'a' }), DONE]],
  ['a reason and no [DONE]', [delta({ content: 'a' }, 'stop')]],
  ['comments between', [': keep-alive', delta({ content: 'a' }, 'stop'), ': ping', DONE]],
  [
    'empty and unknown chunks',
    [{}, { choices: [] }, delta({ content: 'a' }), { object: 'ping' }, delta({}, 'stop')],
  ],
  ['more behind [DONE]', [delta({ content: 'a' }, 'stop'), DONE, delta({ content: 'b' })]],
])('a reply with %s is whole', async (_, chunks) => {
  expect(await read(chunks)).toEqual([
    { type: 'text_delta', text: 'a' },
    { type: 'text', text: 'a' },
    { type: 'done', stop: 'end' },
  ]);
});

test.each([
  ['nothing but a reason', [delta({}, 'stop'), DONE]],
  ['nothing at all', [DONE]],
  ['white space alone', [delta({ content: '\n \n' }, 'stop'), DONE]],
])('a reply with %s is empty', async (_, chunks) => {
  expect(await read(chunks)).toMatchObject([
    { type: 'error', error: { kind: 'empty_response', retryable: true } },
  ]);
});

test('an empty reason in every chunk ends no reply', async () => {
  expect(await read([delta({ content: 'half' }, ''), delta({ content: ' of' }, '')])).toMatchObject([
    { type: 'text_delta' },
    { type: 'text_delta' },
    { type: 'error', error: { kind: 'stream_incomplete', retryable: true } },
  ]);
});

test('an event that is called an error is one, whatever its data', async () => {
  expect(await read(['event: error\ndata: the model crashed'])).toMatchObject([
    { type: 'error', error: { kind: 'server', message: expect.stringContaining('the model crashed') } },
  ]);
});

test('a reply that was all thought for as long as it could is no empty one', async () => {
  expect(await read([delta({}, 'length'), DONE])).toEqual([{ type: 'done', stop: 'length' }]);
});

test.each([
  ['MiniMax', { base_resp: { status_code: 1004, status_msg: 'login fail' } }, 'server'],
  [
    'Gemini',
    [{ error: { code: 429, message: 'Resource exhausted', status: 'RESOURCE_EXHAUSTED' } }],
    'rate_limit',
  ],
  [
    'vLLM',
    { object: 'error', message: 'maximum context length is 10', type: 'BadRequestError', code: 400 },
    'context_overflow',
  ],
  ['a text', { error: 'model crashed' }, 'server'],
  ['the reason alone', delta({}, 'error'), 'server'],
])('an error in the stream is one: %s', async (_, chunk, kind) => {
  const events = await read([delta({ content: 'Half' }), chunk, DONE]);
  expect(events.map(({ type }) => type)).toEqual(['text_delta', 'error']);
  expect(events.at(-1)).toMatchObject({ error: { kind } });
});

test('thoughts are told once, whatever the field, and between texts where they came', async () => {
  const events = await read([
    delta({ reasoning: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'a', index: 0 }] }),
    delta({ content: 'one' }),
    delta({ reasoning_details: [{ type: 'reasoning.summary', summary: 'b', index: 1 }] }),
    delta(
      {
        content: [
          { type: 'thinking', thinking: 'c' },
          { type: 'text', text: 'two' },
        ],
      },
      'stop',
    ),
  ]);
  const blocks = events.filter(({ type }) => type === 'text' || type === 'reasoning');
  expect(blocks).toMatchObject([
    { type: 'reasoning', text: 'a' },
    { type: 'text', text: 'one' },
    { type: 'reasoning', text: 'bc' },
    { type: 'text', text: 'two' },
  ]);
});

const inline = (text: string) => [...text].map((letter) => delta({ content: letter }));

test.each([
  ['<think>a < b</think>\n\nyes', 'a < b', 'yes'],
  ['\n<thinking>a</thinking>yes', 'a', 'yes'],
  ['<think>a</thin></think>yes', 'a</thin>', 'yes'],
  ['<thin>yes', undefined, '<thin>yes'],
  ['yes <think>no</think>', undefined, 'yes <think>no</think>'],
])('of an inline thinker, %j is thought and text', async (text, thought, said) => {
  const events = await ask({ fetch: streaming(...inline(text), delta({}, 'stop')) }, { model: 'qwq-32b' });
  const blocks = events.flatMap((event) =>
    event.type === 'text' || event.type === 'reasoning' ? [[event.type, event.text]] : [],
  );
  expect(blocks).toEqual([...(thought ? [['reasoning', thought]] : []), ['text', said]]);
});

test('of any other model a tag is text', async () => {
  const events = await read([delta({ content: '<think>a</think>b' }, 'stop')]);
  expect(events).toContainEqual({ type: 'text', text: '<think>a</think>b' });
});

test.each([
  [
    'reasoning apart (xAI)',
    {
      prompt_tokens: 10,
      completion_tokens: 2,
      total_tokens: 15,
      completion_tokens_details: { reasoning_tokens: 3 },
    },
    { outputTokens: 5, reasoningTokens: 3 },
  ],
  [
    'cached tokens at the top (Moonshot)',
    { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 4 },
    { inputTokens: 10, cacheReadTokens: 4 },
  ],
  [
    'a price (OpenRouter)',
    {
      prompt_tokens: 10,
      completion_tokens: 2,
      cost: 0.5,
      prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 7 },
    },
    { cost: 0.5, cacheReadTokens: 3, cacheWriteTokens: 7 },
  ],
])('usage with %s', async (_, usage, told) => {
  const events = await read([delta({ content: 'a' }, 'stop'), { choices: [], usage }, DONE]);
  expect(events).toContainEqual({ type: 'usage', usage: expect.objectContaining(told) });
});

test.each([
  ['empty', {}],
  ['without the prompt', { completion_tokens: 3 }],
  ['without the reply', { prompt_tokens: 3 }],
  ['all zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  ['no numbers', { prompt_tokens: null, completion_tokens: '3' }],
])('usage that is %s is unknown, not 0', async (_, usage) => {
  const events = await read([delta({ content: 'a' }, 'stop'), { choices: [], usage }, DONE]);
  expect(events.filter(({ type }) => type === 'usage')).toEqual([]);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'end' });
});

const USED = { prompt_tokens: 7, completion_tokens: 2 };

test.each([
  ['its chunk', { choices: [], usage: USED }],
  ['its choice (Moonshot)', { choices: [{ index: 0, delta: {}, usage: USED }] }],
  ['an extension (Groq)', { choices: [], x_groq: { usage: USED } }],
])('usage in %s is read', async (_where, chunk) => {
  const events = await read([delta({ content: 'a' }, 'stop'), chunk, DONE]);
  const usage = expect.objectContaining({ inputTokens: 7, outputTokens: 2 });
  expect(events).toContainEqual({ type: 'usage', usage });
});

test.each([
  ['on the call', [call({ id: 'x', extra_content: { google: { thought_signature: 'S' } } }, whole('a'))]],
  [
    'in a delta of its own',
    [call({ id: 'x' }, whole('a')), delta({ extra_content: { google: { thought_signature: 'S' } } })],
  ],
])('a signature of Gemini %s is kept with the call', async (_, chunks) => {
  const entry = entryOf('gemini');
  const events = await ask(
    { entry, fetch: streaming(...chunks, delta({}, 'stop')) },
    { model: 'gemini-3.8-flash' },
  );
  const data = { extra_content: { google: { thought_signature: 'S' } } };
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'tool_call',
      opaque: { provider: 'gemini', model: 'gemini-3.8-flash', data },
    }),
  );
});

test.each([
  ['arguments that are JSON without it', [call({ id: 'x' }, whole('a')), 'data: {"half']],
  ['a call that is all of it', ['data: {"half']],
])('a reply that lost a piece of a call is incomplete: %s', async (_, pieces) => {
  const chunks = pieces.map((piece) =>
    typeof piece === 'string' ? piece : `data: ${JSON.stringify(piece)}`,
  );
  const end = `data: ${JSON.stringify(delta({}, 'tool_calls'))}`;
  const body = [...chunks, end, 'data: [DONE]', ''].join('\n\n');
  const events = await ask({ fetch: async () => new Response(body) });
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    error: { kind: 'stream_incomplete', retryable: true },
  });
  expect(events.filter(({ type }) => type === 'tool_call')).toEqual([]);
});

test('100,000 deltas are read in time that grows with them', async () => {
  const events = await read([...Array(100_000).fill(delta({ content: 'a' })), delta({}, 'stop')]);
  expect(events).toHaveLength(100_002);
  expect(events.at(-2)).toEqual({ type: 'text', text: 'a'.repeat(100_000) });
});
