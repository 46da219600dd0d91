// Which models the command line knows, and from where.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Script } from '../../scripts/lib/claude/fake-anthropic.ts';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { cli, eventsOf } from '../support/cli.ts';
import { KEY, place, server } from '../support/cli-place.ts';
import { expectWellFormed } from '../support/scenario.ts';

beforeAll(buildCliIfStale);

/** No server of this computer is asked. */
const NO_LOCAL = { OLLAMA_HOST: '127.0.0.1:1' };

const hello: Script = () => ({ blocks: [{ type: 'text', text: 'Hello.' }] });

test('models lists what the API offers', async () => {
  const { env } = await server(hello, {
    apiKey: KEY,
    models: [{ type: 'model', id: 'claude-x', display_name: 'Claude X', created_at: '2026-01-01T00:00:00Z' }],
  });
  const at = await place();
  expect(await cli(['models', '--provider', 'anthropic'], { ...at, env })).toMatchObject({
    code: 0,
    stdout: 'anthropic/claude-x\tClaude X\n',
  });
  const { stdout } = await cli(['models', '--provider', 'anthropic', '--json'], { ...at, env });
  expect(JSON.parse(stdout)).toMatchObject({ id: 'anthropic/claude-x', name: 'Claude X' });
});

test('models without a provider lists every one that is set up', async () => {
  const { env } = await server(hello, {
    apiKey: KEY,
    models: [{ type: 'model', id: 'claude-x', display_name: 'Claude X', created_at: '2026-01-01T00:00:00Z' }],
  });
  const at = await place();
  expect(await cli(['models'], { ...at, env: { ...env, ...NO_LOCAL } })).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^anthropic\/claude-x\tClaude X\n(lmstudio\/.*\n)*demo\/demo\tDemo/),
    stderr: '',
  });
  expect(await cli(['models'], { ...at, env: NO_LOCAL })).toMatchObject({
    code: 0,
    stdout: expect.not.stringContaining('anthropic/'),
  });
});

test('models of a provider whose key is refused: the others are listed, and it is said', async () => {
  const { env } = await server(hello);
  const bad = { ...env, ...NO_LOCAL, ANTHROPIC_API_KEY: 'sk-ant-wrong-987654321' };
  const { code, stdout, stderr } = await cli(['models'], { ...(await place()), env: bad });
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('demo/demo\tDemo') });
  expect(stderr).toContain('rejected the API key');
});

test('config.json gives names to models, and a fallback that a run goes on with', async () => {
  const at = await place();
  const { env } = await server(() => ({
    status: 404,
    body: { error: { type: 'not_found_error', message: 'model' } },
  }));
  await writeFile(
    join(at.home, 'config.json'),
    JSON.stringify({ aliases: { gone: 'anthropic/claude-gone' }, fallbackModel: 'demo' }),
  );
  const { code, stdout } = await cli(['exec', '--model', 'gone', '--yes', '--json', 'Hi'], { ...at, env });
  const events = eventsOf(stdout);
  expect(code).toBe(0);
  expectWellFormed(events);
  const requests = events.filter((event) => event.type === 'request_started');
  expect(requests[0]).toMatchObject({ provider: 'anthropic', model: 'claude-gone' });
  expect(requests[1]).toMatchObject({ provider: 'demo', model: 'demo' });
  expect(events.filter((event) => event.type === 'notice')).toEqual([
    expect.objectContaining({ message: expect.stringContaining('The run continues with demo/demo.') }),
  ]);
}, 200_000);

test.each([
  ['{"endpoints": [{"name": "box"}]}', 'endpoints[0].baseUrl'],
  ['{', 'is not valid JSON'],
])('a config.json that is damaged (%s) is told with its field', async (text, words) => {
  const at = await place();
  await writeFile(join(at.home, 'config.json'), text);
  for (const args of [['exec', '--model', 'demo', 'Hi'], ['models']]) {
    const { code, stderr } = await cli(args, at);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
    expect(stderr).toContain('config.json');
    expect(stderr).toContain('Fix or remove it.');
    expect(stderr).not.toMatch(/Internal error|^ +at /m);
  }
});

test('an unknown model is refused with the nearest names', async () => {
  const { code, stderr } = await cli(['exec', '--model', 'sonet', 'Hi'], await place());
  expect(code).toBe(1);
  expect(stderr).toContain('Did you mean sonnet');
});
