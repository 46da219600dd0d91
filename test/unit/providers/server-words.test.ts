// What servers and gateways put around the words that matter.
import { expect, test } from 'vitest';
import { ask } from './openai/support.ts';

test.each([
  [
    'OpenRouter, what its provider has said in JSON',
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
          provider_name: 'Anthropic',
        },
      },
    },
    { kind: 'context_overflow', message: expect.stringMatching(/210000.*200000/) },
  ],
  [
    'OpenRouter, what its provider has said in words',
    502,
    { error: { message: 'Provider returned error', code: 502, metadata: { raw: 'upstream is gone' } } },
    { kind: 'server', message: expect.stringContaining('Provider returned error: upstream is gone') },
  ],
  [
    'llama.cpp, its numbers',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 8192,
      },
    },
    { kind: 'context_overflow', message: expect.stringMatching(/9000.*8192/) },
  ],
  [
    'FastAPI, each field',
    422,
    { detail: [{ loc: ['body', 'messages', 0], msg: 'Field required', type: 'missing' }] },
    { kind: 'invalid_request', message: expect.stringContaining('body.messages.0: Field required') },
  ],
])('of %s', async (_who, status, body, expected) => {
  const fetch: typeof globalThis.fetch = async () => Response.json(body, { status });
  expect(await ask({ baseUrl: 'https://llm.example.com/v1', fetch })).toMatchObject([
    { type: 'error', error: expected },
  ]);
});
