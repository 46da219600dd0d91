// The command line with a GPT model: the code of its provider is loaded, and a patch comes over the wire into a file.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { playBytes } from '../../scripts/lib/wire/wire-server.ts';
import { cli, eventsOf } from '../support/cli.ts';
import { tempDir } from '../support/temp-dir.ts';
import { findFixture, loadFixtures } from '../support/wire/fixtures.ts';

beforeAll(buildCliIfStale);

const fixtures = loadFixtures('responses');

async function desk(...ids: readonly string[]) {
  const played = ids.map((id) => findFixture(fixtures, id));
  const [first] = played;
  if (!first) throw new Error('There is nothing to play.');
  const server = await playBytes({ ...first, exchanges: played });
  onTestFinished(() => server.close());
  const cwd = await tempDir();
  const env = { OPENAI_API_KEY: 'sk-canary-0123456789', OPENAI_BASE_URL: server.url };
  const run = () =>
    tempDir().then((home) => cli(['exec', '--model', 'gpt', '--yes', '--json', 'Go'], { cwd, home, env }));
  return { server, cwd, run };
}

test('a patch of the model is applied and answered in its own form', async () => {
  const { server, cwd, run } = await desk('R05', 'R01');
  await mkdir(join(cwd, 'src'));
  await writeFile(join(cwd, 'src/a.ts'), 'function f() {\n  return 1\n}\n');
  const { code, stdout, stderr } = await run();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await readFile(join(cwd, 'src/a.ts'), 'utf8')).toBe('function f() {\n  return 2\n}\n');
  const [asked, again] = server.requests.map(({ body }) => body as { input: object[]; tools: object[] });
  expect(asked?.tools).toContainEqual(expect.objectContaining({ type: 'custom', name: 'apply_patch' }));
  expect(again?.input.slice(0, asked?.input.length)).toEqual(asked?.input);
  expect(again?.input.slice(-2)).toEqual([
    {
      type: 'custom_tool_call',
      call_id: 'call_p',
      name: 'apply_patch',
      input: expect.stringContaining('@@ f'),
    },
    {
      type: 'custom_tool_call_output',
      call_id: 'call_p',
      output: 'Success. Updated the following files:\nM src/a.ts\n',
    },
  ]);
  expect(eventsOf(stdout)).toContainEqual(expect.objectContaining({ type: 'text', content: 'Hello world.' }));
});

test('a plan of the model is an event, and so is what it says on the way', async () => {
  const { server, run } = await desk('R06', 'R03', 'R01');
  const { code, stdout } = await run();
  expect(code).toBe(0);
  const events = eventsOf(stdout);
  expect(events.find(({ type }) => type === 'plan')).toMatchObject({
    steps: [
      { title: 'Read code', status: 'completed' },
      { title: 'Fix bug', status: 'in_progress' },
      { title: 'Test', status: 'pending' },
    ],
  });
  expect(events).toContainEqual(expect.objectContaining({ type: 'text', preamble: true }));
  expect(server.requests.at(-1)?.raw).toContain('"phase":"commentary"');
  expect(server.requests.at(-1)?.raw).toContain('"encrypted_content":"gAAAAenc1"');
  expect(
    new Set(server.requests.map(({ body }) => (body as { prompt_cache_key: string }).prompt_cache_key)).size,
  ).toBe(1);
});
