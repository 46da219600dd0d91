// The command line with a server of the user's own: no key, and a window that is smaller than the usual reply.
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { type Exchange, playBytes } from '../../scripts/lib/wire/wire-server.ts';
import { cli } from '../support/cli.ts';
import { place } from '../support/cli-place.ts';
import { findFixture, loadFixtures } from '../support/wire/fixtures.ts';

beforeAll(buildCliIfStale);

const TOO_LONG =
  "This model's maximum context length is 16384 tokens. However, you requested 34000 tokens (2000 in the messages, 32000 in the completion).";

const refusal: Exchange = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  chunks: [{ delayMs: 0, data: JSON.stringify({ object: 'error', message: TOO_LONG, code: 400 }) }],
  close: 'end',
};

test('a server in the place of OpenAI’s answers without a key, and as long as its window bears', async () => {
  const good = findFixture(loadFixtures('chat'), 'C01');
  const server = await playBytes({ ...good, exchanges: [refusal, good] });
  onTestFinished(() => server.close());
  const asked = ['exec', '--model', 'openai/local', '--base-url', server.url, 'Hello'];
  expect(await cli(asked, await place())).toMatchObject({ code: 0, stdout: 'Hello world\n' });
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  const limits = server.requests.map(({ body }) => (body as { max_tokens?: number }).max_tokens);
  expect(limits).toEqual([32_000, undefined]);
});
