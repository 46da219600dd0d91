import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { playScript } from '../../scripts/lib/claude/fake-anthropic.ts';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { cli } from '../support/cli.ts';
import { tempDir } from '../support/temp-dir.ts';

beforeAll(buildCliIfStale);

const KEY = 'sk-ant-canary-0123456789';

test('HARNESS_TRACE writes each turn down, with the wire if wanted, and never the key', async () => {
  const fake = await playScript(() => ({ blocks: [{ type: 'text', text: 'Hello.' }] }), { apiKey: KEY });
  onTestFinished(() => fake.close());
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: fake.url };
  const folder = await tempDir();
  const at = { cwd: folder, home: join(folder, 'home') };
  await cli(['exec', `My key is ${KEY}.`], { ...at, env: { ...env, HARNESS_TRACE: 'wire' } });
  const [name = '', ...others] = await readdir(join(at.home, 'traces'));
  expect(others).toEqual([]);
  const text = await readFile(join(at.home, 'traces', name), 'utf8');
  expect(text).not.toContain(KEY);
  const types = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  expect([types[0], types.at(-1)]).toEqual(['turn_start', 'turn_end']);
  expect(types).toEqual(expect.arrayContaining(['request', 'response', 'wire', 'raw_event', 'event']));
  const wrong = await cli(['exec', 'Hi'], { ...at, env: { ...env, HARNESS_TRACE: 'all' } });
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('off, events, wire');
});
