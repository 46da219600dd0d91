// A server that does not take a field says so; the request goes once more without it, and the next ones too.
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

async function askTwice(fetch: typeof globalThis.fetch, changes: Partial<Turn>) {
  const asked = provider({ fetch, baseUrl: 'https://llm.example.com/v1' });
  const first = await collect(asked.streamTurn(turn(changes), new AbortController().signal));
  await collect(asked.streamTurn(turn(changes), new AbortController().signal));
  return first;
}

test.each([
  [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { max_tokens: 4096 },
    { max_completion_tokens: 4096 },
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
    'about the length',
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 2048.",
    400,
  ],
  ['of the account', 'reasoning_effort is not supported for this account', 403],
  ['about a field that was not sent', 'Unsupported parameter: reasoning_effort', 400],
])('a refusal %s is told at once', async (_, message, status) => {
  const { bodies, fetch } = refusing(message, status, 9);
  const asked = provider({ fetch, baseUrl: 'https://llm.example.com/v1' });
  const events = await collect(asked.streamTurn(turn(), new AbortController().signal));
  expect(events).toMatchObject([{ type: 'error', error: { retryable: false } }]);
  expect(bodies).toHaveLength(1);
});
