// The same failure is of the same kind with every provider, and its sentence says what to do.
import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withRecoveryHint } from '../../../extension/core/loop/describe-error.ts';
import type { ModelError, ModelErrorKind } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { createProvider } from '../../../extension/core/providers/create-provider.ts';
import { Router } from '../../../extension/core/providers/router.ts';
import { createLocalizer } from '../../../extension/vscode/base/localizer.ts';
import { type Exchange, plain, startWireServer } from '../../../scripts/lib/wire/wire-server.ts';
import { collect } from '../../support/wire/neutral.ts';

const PROVIDERS = ['anthropic', 'codex', 'openai', 'ollama', 'lmstudio'];
const hear = createLocalizer(JSON.parse(await readFile('l10n/bundle.l10n.de.json', 'utf8')));

const KEY = 'kanarie-of-a-test';

const TURN = {
  model: 'm-1',
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }] }],
  tools: [],
  maxTokens: 100,
} as const;

async function serve(answer: Exchange) {
  // What a provider asks before it sends the turn is not known to this server.
  const isTurn = (path: string) => /\/(messages|responses|completions|chat)$/.test(path);
  const server = await startWireServer(
    ({ path }) => (isTurn(path) ? answer : plain(404, {})),
    () => {},
  );
  onTestFinished(() => server.close());
  return server;
}

async function failureOf(name: string, baseUrl: string, clock = new ManualClock()): Promise<ModelError> {
  const entry = new Router().find(name);
  if (!entry) throw new Error(`There is no provider ${name}.`);
  const provider = await createProvider(entry, { apiKey: KEY, baseUrl, clock });
  const events = await collect(provider.streamTurn(TURN, new AbortController().signal));
  const last = events.at(-1);
  if (last?.type !== 'error') throw new Error(`${name} did not fail.`);
  return last.error;
}

type Refusal = [
  status: number,
  message: string,
  expected: Partial<ModelError>,
  headers?: Record<string, string>,
];

const refusals: Refusal[] = [
  [400, 'tools.0: bad', { kind: 'invalid_request', retryable: false }],
  [
    400,
    "This model's maximum context length is 100 tokens. However, your messages resulted in 200 tokens.",
    { kind: 'context_overflow', retryable: false },
  ],
  [
    400,
    'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
    { kind: 'refusal', retryable: false },
  ],
  [401, 'no', { kind: 'auth', retryable: false }],
  [402, 'no', { kind: 'billing', retryable: false }],
  [403, 'no', { kind: 'permission', retryable: false }],
  [404, 'the model does not exist', { kind: 'not_found', retryable: false }],
  [413, 'too large', { kind: 'request_too_large', retryable: false }],
  [429, 'slow down', { kind: 'rate_limit', retryable: true }],
  [429, 'slow down', { kind: 'rate_limit', retryable: true, retryAfterMs: 7000 }, { 'retry-after': '7' }],
  [
    429,
    'slow down',
    { kind: 'rate_limit', retryAfterMs: 60_000 },
    { 'retry-after': 'Thu, 01 Jan 1970 00:01:00 GMT' },
  ],
  [429, 'You exceeded your current quota, please check your plan.', { kind: 'billing', retryable: false }],
  [500, 'Oops', { kind: 'server', retryable: true }],
  [503, 'busy', { kind: 'overloaded', retryable: true }],
  [504, 'late', { kind: 'timeout', retryable: true }],
];

describe.each(PROVIDERS)('%s', (name) => {
  test.each(refusals)('%i “%s”', async (status, message, expected, headers = {}) => {
    const server = await serve(plain(status, { error: { message } }, headers));
    expect(await failureOf(name, server.url)).toMatchObject(expected);
  });

  test('nobody is there', async () => {
    const server = await serve(plain(200, {}));
    await server.close();
    const error = await failureOf(name, server.url);
    expect(error).toMatchObject({ kind: 'network', retryable: true });
    expect(error.message).toContain(new URL(server.url).host);
  });

  test('the connection is cut in the middle', async () => {
    const body = { status: 200, headers: { 'content-type': 'text/event-stream' } };
    const cut = await serve({ ...body, chunks: [{ delayMs: 0, data: ': begun\n\n' }], close: 'reset' });
    expect(['network', 'stream_incomplete']).toContain((await failureOf(name, cut.url)).kind);
  });

  test('the answer is something else', async () => {
    const server = await serve({
      status: 200,
      headers: { 'content-type': 'text/html' },
      chunks: [{ delayMs: 0, data: '<html>Sign in</html>' }],
      close: 'end',
    });
    expect(await failureOf(name, server.url)).toMatchObject({ retryable: true });
  });

  test('a key that the server quotes is told in no part, wherever the quote is cut', async () => {
    for (const status of [400, 403, 500]) {
      const server = await serve(plain(status, { error: { message: `${'x'.repeat(295)} ${KEY} is wrong` } }));
      expect((await failureOf(name, server.url)).message).not.toContain(KEY.slice(0, 4));
    }
  });

  test('whatever it is, the user reads what to do', async () => {
    for (const [status, message, , headers] of refusals) {
      const server = await serve(plain(status, { error: { message } }, headers));
      const error = await failureOf(name, server.url);
      const told = withRecoveryHint(error, 0);
      expect(told).toMatch(ADVICE);
      expect(hear(told)).not.toMatch(ENGLISH);
    }
  });
});

test.each(['anthropic', 'codex'])('%s is given up five minutes after its last byte', async (name) => {
  const begun = { status: 200, headers: { 'content-type': 'text/event-stream' } };
  const server = await serve({ ...begun, chunks: [{ delayMs: 0, data: ': begun\n\n' }], close: 'hang' });
  const clock = new ManualClock();
  const failure = failureOf(name, server.url, clock);
  await expect.poll(() => clock.sleeping).toBe(1);
  clock.advance(300_000);
  const error = await failure;
  expect(error).toMatchObject({ kind: 'timeout', retryable: true });
  expect(error.message).toBe(`${new URL(server.url).host} sent nothing for 300 seconds.`);
});

const ADVICE =
  /\b(Set|Choose|choose|Check|Increase|Rephrase|[Cc]ontinue in a new session|Use|use|Get it|Load|Put|Start|Try again)\b/;

const ENGLISH = /Harness: [SC]|Try again|refused|accept/;

const passing: [ModelErrorKind, retryAfterMs: number, said: string][] = [
  ['overloaded', 0, 'It is so. Try again later, or choose another model with “Harness: Select Model”.'],
  ['network', 0, 'It is so.'],
  ['rate_limit', 60_000, 'It is so. Try again later, or choose another model with “Harness: Select Model”.'],
];

test.each(passing)('%s after %i ms', (kind, retryAfterMs, said) => {
  expect(withRecoveryHint({ kind, message: 'It is so.', retryable: true, retryAfterMs }, 0)).toBe(said);
});

test('What cannot pass keeps its own advice', () => {
  const error = { kind: 'server', message: 'It is so.', retryable: false } as const;
  expect(withRecoveryHint(error, 0)).toBe('It is so.');
});
