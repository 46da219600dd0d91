// Every verb of `harness sessions` on a log that is larger than the heap it is given, and on one with a line that none reads.
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { cli } from '../support/cli.ts';
import { place } from '../support/cli-place.ts';
import { type LargeLog, textOf, writeLargeLog } from '../support/large-log.ts';
import { reportedPeak, reportingPeak } from '../support/peak-memory.ts';

beforeAll(buildCliIfStale);

const MEGABYTE = 1_000_000;
const ID = '20260101000000-00000000';
const TOO_LONG = 17 * MEGABYTE;
const LARGE: LargeLog = { id: ID, messages: 5_000, length: 11_000, longest: 4 * MEGABYTE };
const SMALL: LargeLog = { ...LARGE, messages: 10 };
const HEAP_MEGABYTES = 56;
const HEAP_LIMITS = `--max-old-space-size=${HEAP_MEGABYTES} --max-semi-space-size=2`;
/** Of the whole process on Linux: 90 with a small log, 130 with a full heap; all of the large log would be 60 more. */
const MOST_MEGABYTES = 150;

async function session(log: LargeLog) {
  const at = await place();
  const sessions = join(at.home, 'sessions');
  await mkdir(sessions);
  await writeLargeLog(sessions, log);
  const run = (...args: readonly string[]) => inBoundedMemory(args, at);
  return { ...at, run, log: join(sessions, ID, 'events.jsonl') };
}

/** `harness sessions …`, with room for a part of the large log: among its objects, and in buffers. */
async function inBoundedMemory(args: readonly string[], at: { readonly cwd: string; readonly home: string }) {
  const file = join(at.home, 'peak');
  const { NODE_OPTIONS, PEAK_FILE } = reportingPeak(file);
  const env = { PEAK_FILE, NODE_OPTIONS: `${NODE_OPTIONS} ${HEAP_LIMITS}` };
  const result = await cli(['sessions', ...args], { ...at, env });
  if (process.platform === 'linux')
    expect(reportedPeak(file), `megabytes of “sessions ${args.join(' ')}”`).toBeLessThan(MOST_MEGABYTES);
  return result;
}

test('in bounded memory a log is listed, verified, exported, imported, and looked at for an undo', async () => {
  const { run, log, cwd } = await session(LARGE);
  const original = await readFile(log);
  expect(original.length).toBeGreaterThan(HEAP_MEGABYTES * MEGABYTE);
  expect((await run('list')).stdout).toContain('The first prompt');
  expect(await run('verify', ID)).toMatchObject({ code: 0 });
  expect((await run('show', ID)).stdout).toContain(textOf(4_000, 11_000));
  const file = join(cwd, 'x.harness-session');
  expect(await run('export', ID, file)).toMatchObject({ code: 0, stderr: '' });
  const there = await place();
  expect(await inBoundedMemory(['import', file], there)).toMatchObject({ code: 0 });
  const copy = await readFile(join(there.home, 'sessions', ID, 'events.jsonl'));
  expect(copy.subarray(0, original.length).equals(original)).toBe(true);
  for (const format of ['md', 'html']) {
    expect(await run('export', ID, file, '--format', format, '--force')).toMatchObject({
      code: 0,
      stderr: '',
    });
    const text = await readFile(file, 'utf8');
    for (const count of [1, 2_000, 4_000]) expect(text).toContain(textOf(count, 11_000));
    expect(text).toContain('The last prompt');
  }
  expect(await run('restore', ID, '--to', '1', '--dry-run')).toMatchObject({ code: 0 });
});

test.each(['--json', undefined])(
  'whoever has read enough of it closes the pipe, and that is no failure (%s)',
  async (json) => {
    const { home, cwd } = await session(SMALL);
    const args = ['sessions', 'show', ID, ...(json ? [json] : [])];
    expect(await cli(args, { home, cwd, isCutShort: true })).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('harness:'),
    });
  },
);

test('prompts that are many and long are shown as fast as they are read, in bounded memory', async () => {
  const at = await place();
  const store = new JsonlSessionStore(join(at.home, 'sessions'), systemClock);
  const log = await store.create({ cwd: at.cwd, product: 'test' });
  const content = 'A line of it.\n'.repeat(130_000);
  for (let count = 0; count < 60; count++) await log.append([{ type: 'user', content }]);
  await log.close();
  const { code, stdout } = await inBoundedMemory(['show', log.id], at);
  expect(code).toBe(0);
  expect(stdout.length).toBeGreaterThan(60 * content.length);
});

test('show --json prints what stands in the log, byte for byte, also what this version does not know', async () => {
  const { run, log } = await session(SMALL);
  const strange = `{"type":"hologram","shape":[1, 2],"session":"${ID}","seq":0,"prev":""}`;
  await appendFile(log, `${strange}\n`);
  const { code, stdout, stderr } = await run('show', ID, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout === (await readFile(log, 'utf8'))).toBe(true);
  await appendFile(log, 'damaged\n');
  for (const form of [['--json'], []])
    expect((await run('show', ID, ...form)).stderr).toContain('cannot read 1 record;');
});

test('a log with a line that is too long is refused with its place, and left as it is', async () => {
  const { run, log, cwd } = await session({ ...SMALL, longest: TOO_LONG });
  const before = await readFile(log);
  const line = before.subarray(0, before.indexOf('cat everything')).toString().split('\n').length + 1;
  const told = `Could not read ${log}: line ${line} is longer than 16 MB`;
  expect(await run('list')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${ID} cannot be read: ${told}`),
  });
  expect(await run('verify', ID)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      new RegExp(
        `^events\\.jsonl:${line} \\(byte \\d+\\): The log cannot be opened: this line is longer than 16 MB`,
      ),
    ),
  });
  const file = join(cwd, 'x.harness-session');
  for (const args of [
    ['export', ID, file],
    ['export', ID, file, '--format', 'md'],
    ['show', ID],
    ['restore', ID, '--to', '1', '--dry-run'],
  ]) {
    const { code, stderr } = await run(...args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(told);
  }
  expect(await readdir(cwd)).not.toContain('x.harness-session');
  const shown = await run('show', ID, '--json');
  expect(shown.stderr).toContain(told);
  expect(shown.stdout).toBe(
    `${before
      .toString()
      .split('\n')
      .slice(0, line - 1)
      .join('\n')}\n`,
  );
  expect((await readFile(log)).equals(before)).toBe(true);
});

test('a prompt that no line of the log can hold is refused before there is a session', async () => {
  const at = await place();
  const stdin = 'q'.repeat(TOO_LONG);
  const { code, stderr } = await cli(['exec', '--model', 'demo'], { ...at, stdin });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('2000000 characters') });
  expect((await cli(['sessions', 'list'], at)).stdout).toBe('');
});
