// A server that does not take something says so; the request goes once more without it, and the next ones too.
import { expect, test } from 'vitest';
import type { Turn } from '../../../../extension/core/ports/model.ts';
import { collect } from '../../../support/wire/neutral.ts';
import { type Body, delta, provider, streaming, turn } from './support.ts';

function refusing(message: string, status = 400, times = 1) {
  const bodies: Body[] = [];
  const answer = streaming(delta({ content: 'ok' }, 'stop'));
  const fetch: typeof globalThis.fetch = async (input, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    if (bodies.length > times) return answer(input, init);
    return new Response(JSON.stringify({ error: { message, type: 'invalid_request_error' } }), { status });
  };
  return { bodies, fetch };
}

function refusingInTurn(messages: readonly string[]) {
  const bodies: Body[] = [];
  const answer = streaming(delta({ content: 'ok' }, 'stop'));
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const message = messages[bodies.length];
    bodies.push(JSON.parse(String(init?.body)));
    if (message === undefined) return answer(input, init);
    return new Response(JSON.stringify({ error: { message } }), { status: 400 });
  };
  return { bodies, fetch };
}

async function askTwice(fetch: typeof globalThis.fetch, changes: Partial<Turn>) {
  const asked = provider({ fetch, baseUrl: 'https://llm.example.com/v1' });
  const first = await collect(asked.streamTurn(turn(changes), new AbortController().signal));
  await collect(asked.streamTurn(turn(changes), new AbortController().signal));
  return first;
}

const SEEN = [
  {
    role: 'user',
    content: [
      { type: 'image', name: 'a.png', mediaType: 'image/png', data: 'AQI=' },
      { type: 'text', text: 'What is it?' },
    ],
  },
] as const;

test.each([
  [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { max_tokens: 4096 },
    { max_completion_tokens: 4096 },
  ],
  [
    'max_tokens is too large: 4096. This model supports at most 2048 completion tokens.',
    { max_tokens: 4096 },
    {},
  ],
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 2048.",
    { max_tokens: 4096 },
    {},
  ],
  [
    "This model's maximum context length is 4500 tokens. However, you requested 5096 tokens (1000 in the messages, 4096 in the completion).",
    { max_tokens: 4096 },
    {},
  ],
  [
    "This model's maximum context length is 4500 tokens. However, you requested 4096 output tokens and your prompt contains at least 1000 input tokens, for a total of at least 5096 tokens.",
    { max_tokens: 4096 },
    {},
  ],
  ['Invalid max_tokens value, the valid range of max_tokens is [1, 2048]', { max_tokens: 4096 }, {}],
  [
    '`max_tokens` must be less than or equal to `2048`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    { max_tokens: 4096 },
    {},
  ],
  ['Extra inputs are not permitted: stream_options', { stream_options: { include_usage: true } }, {}],
  ['Unrecognized request argument supplied: reasoning_effort', { reasoning_effort: 'high' }, {}],
])('%s', async (message, before, after) => {
  const { bodies, fetch } = refusing(message);
  expect((await askTwice(fetch, { effort: 'high' })).at(-1)).toEqual({ type: 'done', stop: 'end' });
  expect(bodies).toHaveLength(3);
  expect(bodies[0]).toMatchObject(before);
  for (const body of bodies.slice(1)) {
    expect(body).toMatchObject(after);
    for (const field of Object.keys(before)) expect(body).not.toHaveProperty(field);
  }
});

test('reasoning that a server misses is sent with every call, empty where there is none', async () => {
  const { bodies, fetch } = refusing(
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  );
  await askTwice(fetch, {
    messages: [
      ...turn().messages,
      { role: 'assistant', content: [{ type: 'tool_call', id: 'call_1', name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', id: 'call_1', content: 'x', isError: false }] },
    ],
  });
  expect(bodies.map(({ messages }) => messages[2]?.reasoning_content)).toEqual([undefined, '', '']);
});

test.each([
  ['about something else', 'Invalid value for messages[3].', 400],
  [
    'about the length of the prompt alone',
    "This model's maximum context length is 4500 tokens. However, you requested 9096 tokens (5000 in the messages, 4096 in the completion).",
    400,
  ],
  ['of the account', 'reasoning_effort is not supported for this account', 403],
  ['of an image for its size', 'The image exceeds the limit of 5 MB that this model supports.', 400],
  ['about a field that was not sent', 'Unsupported parameter: reasoning_effort', 400],
])('a refusal %s is told at once', async (_, message, status) => {
  const { bodies, fetch } = refusing(message, status, 9);
  const asked = provider({ fetch, baseUrl: 'https://llm.example.com/v1' });
  const events = await collect(asked.streamTurn(turn({ messages: SEEN }), new AbortController().signal));
  expect(events).toMatchObject([{ type: 'error', error: { retryable: false } }]);
  expect(bodies).toHaveLength(1);
});

test('a server that takes neither name of the limit nor so large a one gets none', async () => {
  const refusals = [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'max_completion_tokens is too large: 4096. This model supports at most 2048 completion tokens.',
  ];
  const { bodies, fetch } = refusingInTurn(refusals);
  expect((await askTwice(fetch, {})).at(-1)).toEqual({ type: 'done', stop: 'end' });
  expect(bodies.map(({ max_tokens, max_completion_tokens }) => [max_tokens, max_completion_tokens])).toEqual([
    [4096, undefined],
    [undefined, 4096],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('a server that goes on refusing is asked four times at most', async () => {
  const { bodies, fetch } = refusing(
    "'max_tokens' is not supported, use 'max_completion_tokens'; max_completion_tokens is not supported",
    400,
    99,
  );
  expect((await askTwice(fetch, {})).at(-1)).toMatchObject({ type: 'error' });
  expect(bodies.length).toBeLessThanOrEqual(8);
});

test.each([
  ['DeepSeek', 400, 'messages[1]: unknown variant `image_url`, expected `text`'],
  ['llama.cpp', 500, 'image input is not supported - hint: if this is unexpected, you may need the mmproj'],
  ['OpenRouter', 404, 'No endpoints found that support image input'],
  ['vLLM', 400, 'some-model is not a multimodal model'],
])(
  'an image that %s does not take is a word, in this request and in later ones',
  async (_, status, message) => {
    const { bodies, fetch } = refusing(message, status);
    expect((await askTwice(fetch, { messages: SEEN })).at(-1)).toEqual({ type: 'done', stop: 'end' });
    const said = '(An image was attached here. You cannot see images.)\n\nWhat is it?';
    expect(bodies.map(({ messages }) => messages[1]?.content)).toEqual([
      [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AQI=' } }, expect.anything()],
      said,
      said,
    ]);
  },
);

test.each([
  ['Mistral', 400, "Unexpected role 'user' after role 'tool'"],
  ['llama.cpp', 500, 'Conversation roles must alternate user/assistant/user/assistant/...'],
])('to a server (%s) that wants user and model in turns they come so', async (_, status, message) => {
  const { bodies, fetch } = refusing(message, status);
  const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] }) as const;
  const events = await askTwice(fetch, {
    messages: [
      said('a'),
      said('b'),
      SEEN[0],
      { role: 'assistant', content: [{ type: 'tool_call', id: 'call_1', name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', id: 'call_1', content: 'x', isError: false }] },
      said('c'),
      said('d'),
    ],
  });
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'end' });
  for (const { messages } of bodies.slice(1)) {
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(messages[1]?.content).toMatchObject([
      { text: 'a\n\nb' },
      { type: 'image_url' },
      { text: 'What is it?' },
    ]);
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'c\n\nd' });
  }
});
