import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { cli, eventsOf } from '../support/cli.ts';
import { KEY, place, server } from '../support/cli-place.ts';
import { until } from '../support/until.ts';

beforeAll(buildCliIfStale);

const write = { name: 'write', input: { path: 'a.txt', content: 'one\n' } };

/** A run that wrote a file and ran a command, recorded; its server is gone. */
async function recordedRun() {
  const { cwd, home } = await place();
  const bash = { name: 'bash', input: { command: 'cat a.txt; echo done' } };
  const { fake, env } = await server(({ messages }) =>
    messages.length === 1
      ? {
          blocks: [
            { type: 'tool_use', ...write },
            { type: 'tool_use', ...bash },
          ],
          stop_reason: 'tool_use',
        }
      : { blocks: [{ type: 'text', text: 'All done.' }] },
  );
  const file = join(home, 'run.harness');
  const args = ['exec', `Go, with ${KEY}`, '--yes', '--json', '--record', file];
  const ran = await cli(args, { cwd, home, env });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  await fake.close();
  return { cwd, home, file, ran };
}

test('a recorded run plays again without its server, event by event, and says so', async () => {
  const { cwd, home, file, ran } = await recordedRun();
  const replayed = await cli(['replay', file, '--json'], { cwd: home, home: join(home, 'other') });
  expect(replayed.stderr).toMatch(/Replayed \d+ events: equal, hash for hash/);
  expect(replayed.code).toBe(0);
  expect(eventsOf(replayed.stdout)).toEqual(eventsOf(ran.stdout));
  const text = await readFile(file, 'utf8');
  expect(text, 'no key is in it').not.toContain(KEY);
  expect(text, 'bytes as they came over the wire').toContain('content_block_start');
  const packed = `${file}.gz`;
  await writeFile(packed, gzipSync(text));
  expect((await cli(['replay', packed], { cwd, home })).code).toBe(0);
});

test('the first difference is shown as a diff, and the command fails', async () => {
  const { cwd, home, file } = await recordedRun();
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll('All done', 'All gone'));
  const other = text
    .split('\n')
    .map((line) => (line.includes('"kind":"log"') ? line : line.replaceAll('All done', 'All gone')));
  await writeFile(file, other.join('\n'));
  const replayed = await cli(['replay', file], { cwd, home });
  expect(replayed.code).toBe(1);
  expect(replayed.stderr).toMatch(/Event \d+ is another one than was recorded, in: content/);
  expect(replayed.stderr).toMatch(/-\s+"content": "All done\."/);
  expect(replayed.stderr).toMatch(/\+\s+"content": "All gone\."/);
});

test('a recording whose log is gone, or in which nothing is, is not taken for equal', async () => {
  const { cwd, home, file } = await recordedRun();
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, lines.filter((line) => !line.includes('"kind":"log"')).join('\n'));
  const lost = await cli(['replay', file], { cwd, home });
  expect(lost).toMatchObject({ code: 1 });
  expect(lost.stderr).toContain('Event 1 is not in the recorded log');
  await writeFile(file, `${lines[0]}\n`);
  const empty = await cli(['replay', file], { cwd, home });
  // A recording without a session is none.
  expect(empty).toMatchObject({ code: 2, stdout: '' });
});

test('what is no recording, of another version, or cut off is told as that', async () => {
  const { cwd, home, file } = await recordedRun();
  const at = { cwd, home };
  const told = async (content: string) => {
    await writeFile(join(home, 'x'), content);
    return cli(['replay', join(home, 'x')], at);
  };
  const text = await readFile(file, 'utf8');
  expect(await told('{"some": "json"}')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no recording'),
  });
  expect(await told('')).toMatchObject({ code: 2, stderr: expect.stringContaining('no recording') });
  const newer = text.replace('"version":1', '"version":99');
  expect(await told(newer)).toMatchObject({ code: 2, stderr: expect.stringContaining('format 99') });
  expect(await cli(['replay', 'nowhere'], at)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('ENOENT'),
  });
  expect(await cli(['replay'], at)).toMatchObject({ code: 2 });
  const half = await told(text.slice(0, text.length / 2));
  expect(half).toMatchObject({ code: 0, stderr: expect.stringMatching(/damaged or cut off[\s\S]*equal/) });
  const damaged = await told(text.replace('"kind":"end"', '"kind":"e\u0000'));
  expect(damaged).toMatchObject({ code: 0, stderr: expect.stringContaining('damaged') });
});

test('the recording of a process that was killed plays up to there', async () => {
  const { cwd, home } = await place();
  const { env } = await server(() => ({
    blocks: [{ type: 'tool_use', name: 'bash', input: { command: 'touch here; sleep 5' } }],
    stop_reason: 'tool_use',
  }));
  const file = join(home, 'run.harness');
  await cli(['exec', 'Go', '--yes', '--record', file], {
    cwd,
    home,
    env,
    started: async (kill) => {
      await until(() => existsSync(join(cwd, 'here')));
      kill('SIGKILL');
    },
  });
  const replayed = await cli(['replay', file, '--json'], { cwd, home });
  expect(replayed).toMatchObject({ code: 0, stderr: expect.stringContaining('equal') });
  expect(eventsOf(replayed.stdout).map(({ type }) => type)).toContain('tool_started');
});

test('a file that cannot be written is told before anything is sent', async () => {
  const { cwd, home } = await place();
  const ran = await cli(['exec', 'Go', '--model', 'demo', '--record', join(home, 'no/such/x')], {
    cwd,
    home,
  });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--record') });
});
