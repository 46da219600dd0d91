// What a refusal becomes for the loop, and what the user reads of it.
import { expect, test } from 'vitest';
import type { ModelError } from '../../../../extension/core/ports/model.ts';
import { ask, KEY } from './support.ts';

interface Refusal {
  readonly status: number;
  readonly type?: string;
  readonly message?: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function refused({ status, type, message, code, headers = {}, body }: Refusal): Promise<ModelError> {
  const details = code === undefined ? {} : { details: { error_code: code } };
  const json = JSON.stringify({ type: 'error', error: { type, message, ...details }, request_id: 'r' });
  const fetch = async () => new Response(body ?? json, { status, headers });
  const [event, ...more] = await ask({ fetch });
  expect(more).toEqual([]);
  if (event?.type !== 'error') throw new Error('This was not refused.');
  return event.error;
}

const INVALID = 'invalid_request_error';
const LIMITED = { 'anthropic-ratelimit-tokens-reset': '1970-01-01T00:01:00Z' };
const rows: [Refusal, Partial<ModelError>][] = [
  [
    { status: 400, type: INVALID, message: 'tools.0: bad' },
    { kind: 'invalid_request', retryable: false },
  ],
  [
    { status: 400, type: INVALID, message: 'prompt is too long: 9 tokens > 8 maximum' },
    { kind: 'context_overflow', retryable: false },
  ],
  [
    {
      status: 400,
      type: INVALID,
      message: 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
    },
    { kind: 'context_overflow' },
  ],
  [
    { status: 400, body: '{"error":"This model\'s maximum context length is 8192 tokens"}' },
    { kind: 'context_overflow' },
  ],
  [
    { status: 400, type: INVALID, message: 'Your credit balance is too low to access the API.' },
    { kind: 'billing', retryable: false },
  ],
  [
    { status: 400, type: INVALID, message: 'You have reached your specified workspace API usage limits.' },
    { kind: 'billing', retryable: false },
  ],
  [{ status: 402 }, { kind: 'billing', retryable: false }],
  [
    { status: 403, type: 'permission_error', message: 'not allowed' },
    { kind: 'permission', retryable: false },
  ],
  [
    { status: 404, body: '' },
    { kind: 'not_found', retryable: false },
  ],
  [{ status: 408 }, { kind: 'timeout', retryable: true }],
  [
    { status: 409, type: 'conflict_error' },
    { kind: 'server', retryable: true },
  ],
  [
    { status: 413, body: '' },
    { kind: 'request_too_large', retryable: false },
  ],
  [
    { status: 422, message: 'no' },
    { kind: 'invalid_request', retryable: false },
  ],
  [
    { status: 429, type: 'rate_limit_error', message: 'slow' },
    { kind: 'rate_limit', retryable: true },
  ],
  [
    { status: 429, type: 'rate_limit_error', message: 'paid', code: 'enforced_spend_limit_reached' },
    { kind: 'billing', retryable: false },
  ],
  [
    { status: 429, type: 'rate_limit_error', message: 'paid', code: 'contract_spend_limit_reached' },
    { kind: 'billing', retryable: false },
  ],
  [
    { status: 500, type: 'api_error' },
    { kind: 'server', retryable: true },
  ],
  [
    { status: 500, type: 'overloaded_error' },
    { kind: 'overloaded', retryable: true },
  ],
  [
    { status: 502, body: '<html>' },
    { kind: 'server', retryable: true },
  ],
  [
    { status: 503, body: 'no healthy upstream' },
    { kind: 'overloaded', retryable: true },
  ],
  [{ status: 529 }, { kind: 'overloaded', retryable: true }],
  [
    { status: 500, type: 'constructor' },
    { kind: 'server', retryable: true },
  ],
  [
    { status: 429, headers: { 'retry-after': '3600', ...LIMITED } },
    { kind: 'rate_limit', retryAfterMs: 3_600_000 },
  ],
  [
    { status: 429, headers: LIMITED },
    { kind: 'rate_limit', retryAfterMs: 60_000 },
  ],
  [
    { status: 500, headers: { 'x-should-retry': 'false' } },
    { kind: 'server', retryable: false },
  ],
  [
    { status: 400, type: INVALID, headers: { 'x-should-retry': 'true' } },
    { kind: 'invalid_request', retryable: true },
  ],
];

test.each(rows)('%j', async (refusal, expected) => {
  expect(await refused(refusal)).toMatchObject({ ...expected, status: refusal.status });
});

const sentences: [Refusal, string][] = [
  [
    { status: 401, message: `invalid x-api-key: ${KEY}` },
    'Anthropic rejected the API key. Set another one with “Harness: Set API Key”.',
  ],
  [
    { status: 404, type: 'not_found_error', message: 'model: claude-opus-5-5' },
    'Anthropic does not know the model “claude-opus-5-5”. Choose another one with “Harness: Select Model”.',
  ],
  [
    { status: 404, type: 'not_found_error', message: 'Not Found' },
    'There is no Claude API at api.anthropic.com. Check the setting “harness.anthropic.baseUrl”.',
  ],
  [{ status: 529, message: 'Overloaded' }, 'Claude is overloaded.'],
  [{ status: 429, message: 'slow down' }, 'The rate limit of this API key is reached.'],
  [
    { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    'The conversation is too long for “claude-opus-5-5” (210000 tokens; the limit is 200000). Use “Harness: Compact Conversation”, start a new session, or choose a model with a larger context window.',
  ],
  [
    { status: 400, message: 'tools.0.name: bad.' },
    'Anthropic rejected the request: tools.0.name: bad. If this happens again, continue in a new session.',
  ],
  [{ status: 500, body: '<html><h1>Oops' }, 'Anthropic had an internal error.'],
];

test.each(sentences)('%j in words', async (refusal, sentence) => {
  expect((await refused(refusal)).message).toBe(sentence);
});

test('Long words of a server are cut', async () => {
  expect((await refused({ status: 400, message: 'x\n'.repeat(5000) })).message.length).toBeLessThan(400);
});

test('Only a limit that was the reason makes one wait', async () => {
  expect(await refused({ status: 529, headers: LIMITED })).not.toHaveProperty('retryAfterMs');
});

test('A key as short as a word leaves the sentences alone', async () => {
  const fetch = async () => new Response('', { status: 401 });
  expect(await ask({ apiKey: 'key', fetch })).toMatchObject([
    {
      error: {
        message: 'Anthropic rejected the API key. Set another one with “Harness: Set API Key”.',
      },
    },
  ]);
});

const encodings: [how: string, text: string][] = [
  ['plain', KEY],
  ['in a header', `Bearer ${KEY}`],
  ['in a URL', encodeURIComponent(KEY)],
  ['in base64', Buffer.from(KEY).toString('base64')],
  ['another key', 'sk-ant-api03-somebody-elses_key'],
];

test.each(encodings)('A key that a server quotes (%s) is not in the message', async (_how, text) => {
  for (const status of [400, 401, 402, 403, 404, 418, 429, 500, 503]) {
    const { message } = await refused({ status, type: 'x', message: `model: you sent ${text}!` });
    expect(message).not.toContain(text);
    expect(message).not.toContain(KEY);
  }
});

test('A key that a failing fetch quotes is not in the message', async () => {
  const fetch = () => Promise.reject(new TypeError(`Bearer ${KEY} is an invalid header value`));
  expect(JSON.stringify(await ask({ fetch }))).not.toContain(KEY);
});

const unusable: [what: string, options: { apiKey?: string; baseUrl?: string }, kind: string][] = [
  ['no key', { apiKey: ' ' }, 'auth'],
  ['a key over two lines', { apiKey: 'sk-ant-\n1' }, 'auth'],
  ['a key with an ellipsis', { apiKey: 'sk-ant-…' }, 'auth'],
  ['an address without protocol', { baseUrl: 'localhost:8080' }, 'invalid_request'],
  ['an address that is a word', { baseUrl: 'proxy' }, 'invalid_request'],
  ['an address with a password', { baseUrl: 'https://me:secret@proxy' }, 'invalid_request'],
];

test.each(unusable)('With %s nothing is sent', async (_what, options, kind) => {
  const fetch = () => Promise.reject(new Error('something was sent'));
  const events = await ask({ ...options, fetch });
  expect(events).toMatchObject([{ type: 'error', error: { kind, retryable: false } }]);
  expect(JSON.stringify(events)).not.toMatch(/secret|something was sent/);
});

test('White space around a key is not part of it', async () => {
  let authorization: string | null = null;
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    authorization = new Headers(init?.headers).get('authorization');
    return new Response('');
  };
  await ask({ apiKey: ' sk-ant-1\n', fetch });
  expect(authorization).toBe('Bearer sk-ant-1');
});

test('Neither the address nor the key is taken from the environment', async () => {
  process.env.ANTHROPIC_BASE_URL = 'http://127.0.0.1:9';
  let asked = '';
  const fetch: typeof globalThis.fetch = async (input) => {
    asked = String(input);
    return new Response('');
  };
  await ask({ fetch });
  delete process.env.ANTHROPIC_BASE_URL;
  expect(asked).toBe('https://api.anthropic.com/v1/messages');
});
