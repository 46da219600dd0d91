import { readdirSync } from 'node:fs';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { decode } from '../../extension/core/recording/encode.ts';
import { thisProduct } from '../../extension/core/recording/replay/this-product.ts';
import { recordingOf } from '../../extension/node/log/session-files.ts';
import { readRecordingFile } from '../../extension/node/recording/read-recording.ts';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { type CliOptions, cli, eventsOf } from '../support/cli.ts';
import { KEY, place, server } from '../support/cli-place.ts';
import { recordUntilKilled } from '../support/record-until-killed.ts';
import { random } from '../support/secret-samples.ts';
import { tempDir } from '../support/temp-dir.ts';
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
  expect(replayed.stderr).toMatch(/Replayed \d+ events\. All hashes match\./);
  expect(replayed.code).toBe(0);
  expect(eventsOf(replayed.stdout)).toEqual(eventsOf(ran.stdout));
  const text = await readFile(file, 'utf8');
  expect(text, 'no key is in it').not.toContain(KEY);
  expect(text, 'bytes as they came over the wire').toContain('content_block_start');
  const packed = `${file}.gz`;
  await writeFile(packed, gzipSync(text));
  expect((await cli(['replay', packed], { cwd, home })).code).toBe(0);
  const noHome = join(packed, 'none');
  expect((await cli(['replay', packed], { cwd, home: noHome })).code, 'a file needs no home').toBe(0);
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
  expect(replayed.stderr).toMatch(/Event \d+ differs from the recorded one in: content/);
  expect(replayed.stderr).toMatch(/-\s+"content": "All done\."/);
  expect(replayed.stderr).toMatch(/\+\s+"content": "All gone\."/);
});

/** The recording that is kept of this provider, changed. */
async function changedRecording(provider: string, change: (lines: readonly string[]) => readonly string[]) {
  const { cwd, home } = await place();
  const kept = await readFile(join(import.meta.dirname, `../fixtures/recordings/${provider}.jsonl`), 'utf8');
  const file = join(home, 'changed.harness');
  await writeFile(file, `${change(kept.trimEnd().split('\n')).join('\n')}\n`);
  return cli(['replay', file], { cwd, home });
}

test.each(['anthropic', 'codex'])(
  'behind a difference nothing more is told, and nothing waited for: %s',
  async (provider) => {
    const withoutTime = (lines: readonly string[]) => {
      const last = lines.findLastIndex((line) => /"read":{.*"wire.monotonic"/.test(line));
      const { read: _, ...rest } = JSON.parse(lines[last] ?? '');
      return lines.with(last, JSON.stringify(rest));
    };
    const { code, stderr } = await changedRecording(provider, withoutTime);
    expect(code).toBe(1);
    expect(stderr).toMatch(/(^|\n)harness: The replay differs after .*\nharness: Recorded next: .*\n$/);
  },
);

test('a command ends where its recording does, also while the model’s first words are waited for', async () => {
  const cut = (lines: readonly string[]) =>
    lines.slice(0, lines.findIndex((line) => line.includes('wire.fetch')) + 1);
  const { code, stderr } = await changedRecording('anthropic', cut);
  expect(stderr).toMatch(/All hashes match.* The recording ends before the session was closed\.\n$/);
  expect(code).toBe(0);
});

test('a recording whose log is gone, or in which nothing is, is not taken for equal', async () => {
  const { cwd, home, file } = await recordedRun();
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const isLog = (line: string) => line.startsWith('{"kind":"log"');
  const logged = lines.filter(isLog);
  for (const [kept, told] of [
    [[], 'The recorded log ends with event 0.'],
    [logged.slice(0, 4), 'Event 5 is not in the recorded log, so it cannot be compared.'],
  ] as const) {
    await writeFile(file, [...lines.filter((line) => !isLog(line)), ...kept].join('\n'));
    const lost = await cli(['replay', file], { cwd, home });
    expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining(told) });
  }
  await writeFile(file, `${lines[0]}\n`);
  expect(await cli(['replay', file], { cwd, home })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('This recording contains no session.'),
  });
});

test('cut anywhere, a recording plays up to there, says so, and is never equal where nothing was compared', async () => {
  const { cwd, home, file } = await recordedRun();
  const bytes = await readFile(file);
  const lines = bytes.toString().split('\n');
  const isAppended = (line: string, index: number) =>
    lines[index + 1]?.startsWith('{"kind":"log"') && !line.startsWith('{"kind":"log"');
  const beforeLog = lines.flatMap((line, index) => (isAppended(line, index) ? [index + 1] : []));
  expect(beforeLog.length).toBeGreaterThan(5);
  const cuts = beforeLog.map((count) => Buffer.byteLength(lines.slice(0, count).join('\n')) + 1);
  const cut = join(home, 'cut.harness');
  let equal = 0;
  for (const end of [...cuts, bytes.length >> 1]) {
    await writeFile(cut, bytes.subarray(0, end));
    const { code, stderr } = await cli(['replay', cut], { cwd, home });
    const isEqual =
      /Replayed [1-9]\d* events?\. All hashes match.* The recording ends before the session was closed\./.test(
        stderr,
      );
    equal += Number(isEqual);
    expect(isEqual ? code : 0, `cut at ${end}: ${stderr}`).toBe(0);
    if (!isEqual) expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(NOTHING) });
  }
  expect(equal).toBeGreaterThan(cuts.length / 2);
});

const NOTHING = /(No event of this recording can be compared|This recording contains no session)\./;

test('a replay that is interrupted leaves nothing of what it has unpacked', async () => {
  const { cwd, home, file } = await recordedRun();
  const temporary = await tempDir();
  await writeFile(`${file}.gz`, gzipSync(await readFile(file)));
  const env = { TMPDIR: temporary };
  const started = async (kill: (signal: NodeJS.Signals) => void) => {
    await until(() => readdirSync(temporary).length > 0);
    kill('SIGINT');
  };
  const { code } = await cli(['replay', `${file}.gz`, '--speed', '0.0001'], { cwd, home, env, started });
  expect(code).toBe(130);
  expect(readdirSync(temporary)).toEqual([]);
});

test('a secret that comes in pieces is in no piece of the recording, and it plays again equal', async () => {
  const { cwd, home } = await place();
  const token = `ghp_${random(36)}`;
  const command = `printf ${token.slice(0, 15)}; sleep 0.2; printf '${token.slice(15)}\\n'`;
  const { env } = await server(({ messages }) =>
    messages.length === 1
      ? { blocks: [{ type: 'tool_use', name: 'bash', input: { command } }], stop_reason: 'tool_use' }
      : { blocks: [{ type: 'text', text: `It is ${token}, and ${KEY}.` }], chunkSize: 5 },
  );
  const file = join(home, 'run.harness');
  expect(await cli(['exec', 'Go', '--yes', '--record', file], { cwd, home, env })).toMatchObject({ code: 0 });
  const exported = await exportedWith(file, { cwd, home, env });
  for (const each of [file, exported]) {
    const { body, output } = await piecesIn(each);
    expect(body).toMatch(/It is ~\w{6}~+\., and ~\w{6}~+\.\./);
    expect(output).toMatch(/^~\w{6}~+\.\n$/);
    // Somebody else, elsewhere, who has no key.
    const replayed = await cli(['replay', each], { cwd: home, home: join(home, 'other') });
    expect(replayed).toMatchObject({ code: 0, stderr: expect.stringContaining('All hashes match.') });
  }
});

test('a secret that a model has thought of is in no file, goes back to nobody, and plays again equal', async () => {
  const { cwd, home } = await place();
  const token = `ghp_${random(36)}`;
  const { fake, env } = await server(({ messages }) =>
    messages.length === 1
      ? {
          blocks: [
            { type: 'thinking', thinking: `Such as ${token}.`, signature: 'c2ln' },
            { type: 'tool_use', ...write },
          ],
          stop_reason: 'tool_use',
        }
      : { blocks: [{ type: 'text', text: 'All done.' }] },
  );
  const file = join(home, 'run.harness');
  const ran = await cli(['exec', 'Go', '--yes', '--json', '--record', file], { cwd, home, env });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toMatch(/"Such as \[redacted:github-token#\w{4}\]\."/);
  const folder = await readdir(home, { recursive: true, withFileTypes: true });
  const files = folder.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  );
  expect([...texts, ran.stdout, JSON.stringify(fake.requests)].join('\n')).not.toContain(token);
  const replayed = await cli(['replay', file], { cwd: home, home: join(home, 'other') });
  expect(replayed).toMatchObject({ code: 0, stderr: expect.stringContaining('All hashes match.') });
});

test.each([1, 3, 7, 40])(
  'so does one with what JSON escapes, in deltas of %i characters',
  async (chunkSize) => {
    const { cwd, home } = await place();
    const secret = 'Zq"9\\x/ABC"EFGHIJ1234567890"';
    const said = `It is ${secret}, and (${secret}).`;
    const written = `${said}\n${JSON.stringify({ key: secret })}\n`;
    const { env } = await server(({ messages }) => {
      if (messages.length > 1) return { blocks: [{ type: 'text', text: 'Done.' }] };
      const input = { path: 'a.txt', content: written };
      return {
        blocks: [
          { type: 'thinking', thinking: said, signature: 'c2ln' },
          { type: 'text', text: said },
          { type: 'tool_use', name: 'write', input },
        ],
        stop_reason: 'tool_use',
        chunkSize,
      };
    });
    const file = join(home, 'run.harness');
    const at = { cwd, home, env: { ...env, MY_SECRET: secret } };
    expect(await cli(['exec', 'Go', '--yes', '--record', file], at)).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe(written);
    expect(await readFile(file, 'utf8')).not.toContain('EFGHIJ');
    const replayed = await cli(['replay', file], { cwd: home, home: join(home, 'other') });
    expect(replayed).toMatchObject({ code: 0, stderr: expect.stringContaining('All hashes match') });
  },
);

/** The run's session, exported as the editor does it: with the recording beside its log. */
async function exportedWith(recording: string, at: CliOptions): Promise<string> {
  const { session } = JSON.parse((await readFile(recording, 'utf8')).trim().split('\n')[0] ?? '');
  await copyFile(recording, recordingOf(join(at.home, 'sessions'), session));
  const target = join(at.home, 'report.harness-session');
  const made = await cli(['sessions', 'export', session, target, '--json'], at);
  expect(JSON.parse(made.stdout)).toMatchObject({ hasRecording: true, hidden: 0 });
  return target;
}

/** Put together again: what a model has said, and what a command has told. */
async function piecesIn(file: string): Promise<{ readonly body: string; readonly output: string }> {
  const { session, close } = await readRecordingFile(file);
  onTestFinished(close);
  const names = new Map<number, string>();
  let [body, output] = ['', ''];
  for await (const entry of session.entries()) {
    if (entry.kind === 'start') names.set(entry.id, entry.name);
    if (entry.kind !== 'piece') continue;
    const value = await decode(entry.value, {
      fetch: session.fetch,
      errors: thisProduct.errors,
    });
    if (names.get(entry.id) === 'wire.body') body += new TextDecoder().decode(value as Uint8Array);
    if (names.get(entry.id) === 'shell.run') output += (value as string[])[1];
  }
  const deltas = [...body.matchAll(/"text_delta","text":"([^"]*)"/g)].map(([, text]) => text);
  expect(deltas.length).toBeGreaterThan(3);
  return { body: deltas.join(''), output };
}

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
    stderr: expect.stringContaining('This is not a recording'),
  });
  expect(await told('')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('This is not a recording'),
  });
  const newer = text.replace('"version":2', '"version":99');
  expect(await told(newer)).toMatchObject({ code: 2, stderr: expect.stringContaining('format 99') });
  const other = text.replace(
    `"separator":${JSON.stringify(sep)}`,
    `"separator":${JSON.stringify(sep === '/' ? '\\' : '/')}`,
  );
  expect(await told(other)).toMatchObject({ code: 2, stderr: expect.stringContaining('Windows') });
  expect(await cli(['replay', 'nowhere'], at)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('ENOENT'),
  });
  expect(await cli(['replay'], at)).toMatchObject({ code: 2 });
  // Within a line.
  const half = await told(text.slice(0, text.indexOf('\n', text.length / 2) + 10));
  expect(half).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/damaged or cut off[\s\S]*All hashes match/),
  });
  const last = text.lastIndexOf('"kind":"end"');
  const damaged = await told(`${text.slice(0, last)}"kind":"e\u0000${text.slice(last + 12)}`);
  expect(damaged).toMatchObject({ code: 0, stderr: expect.stringContaining('damaged') });
});

test('the recording of a process that was killed plays up to there', async () => {
  const { cwd, home, file } = await recordUntilKilled();
  const replayed = await cli(['replay', file, '--json'], { cwd, home });
  expect(replayed).toMatchObject({ code: 0, stderr: expect.stringContaining('All hashes match') });
  expect(eventsOf(replayed.stdout).map(({ type }) => type)).toContain('tool_started');
});

test('options that replay does not take, or that exclude each other, are wrong usage', async () => {
  const { cwd, home, file } = await recordedRun();
  const replayed = (...args: readonly string[]) => cli(['replay', file, ...args], { cwd, home });
  expect(await replayed('--step', '--speed', '1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot use --step with --speed'),
  });
  for (const option of ['--live-tools', '--yes', '--keep'])
    expect(await replayed(option)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        new RegExp(`^harness: Unknown option '${option}'; replay takes --json, --speed, --step\n`),
      ),
    });
});

test('a file that cannot be written is told before anything is sent', async () => {
  const { cwd, home } = await place();
  const ran = await cli(['exec', 'Go', '--model', 'demo', '--record', join(home, 'no/such/x')], {
    cwd,
    home,
  });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--record') });
});
