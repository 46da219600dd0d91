import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { temporaryBeside } from '../../extension/node/fs/temporary-files.ts';
import type { Script } from '../../scripts/lib/claude/fake-anthropic.ts';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { cli, eventsOf } from '../support/cli.ts';
import { KEY, place, server } from '../support/cli-place.ts';
import { NOBODY } from '../support/crafted-lock.ts';
import { expectWellFormed } from '../support/scenario.ts';
import { random } from '../support/secret-samples.ts';
import { until } from '../support/until.ts';

beforeAll(buildCliIfStale);

const hello: Script = () => ({ blocks: [{ type: 'text', text: 'Hello <b>you</b>.' }] });

/** A session on a machine of its own. */
async function said(prompt = 'Remember the word bramble') {
  const { env, fake } = await server(hello);
  const at = { ...(await place()), env };
  const { stdout } = await cli(['exec', '--json', prompt], at);
  const id = eventsOf(stdout)[0]?.session ?? '';
  return { at, fake, id, stdout, log: join(at.home, 'sessions', id, 'events.jsonl') };
}

test('a session goes on at another machine: exported there, imported here, prompted again', async () => {
  const { at, id, fake, log } = await said();
  expect(await cli(['sessions', 'export', id], at)).toEqual({
    code: 0,
    stdout: `${join(at.cwd, `${id}.harness-session`)}\n`,
    stderr: '',
  });
  const there = { ...(await place()), env: at.env };
  const imported = await cli(['sessions', 'import', join(at.cwd, `${id}.harness-session`)], there);
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  expect(imported.stdout).toContain(`harness exec --session ${id}`);
  const stored = await readFile(join(there.home, 'sessions', id, 'events.jsonl'), 'utf8');
  expect(stored.startsWith(await readFile(log, 'utf8'))).toBe(true);
  const asked = eventsOf(stored).find((event) => event.type === 'request_started');
  expect(await readdir(join(there.home, 'sessions', id, 'blobs'))).toEqual([asked?.prefix]);
  expect(await cli(['exec', '--session', id, 'Which word?'], there)).toMatchObject({ code: 0 });
  expect(fake.requests.at(-1)?.raw).toContain('bramble');
  expect(fake.requests.at(-1)?.raw).toContain('goes on in another folder');
  expect(fake.requests.at(-1)?.raw).toContain(`<cwd>${there.cwd}</cwd>`);
  expect(await cli(['exec', '--continue', 'And?'], there)).toMatchObject({ code: 0 });
  expectWellFormed(eventsOf((await cli(['sessions', 'show', id, '--json'], there)).stdout));
  expect((await cli(['sessions', 'verify', id], there)).stdout).toContain(`${id}: sound; `);
  const again = await cli(['sessions', 'import', join(at.cwd, `${id}.harness-session`), '--json'], there);
  expect(JSON.parse(again.stdout)).toMatchObject({ session: id, as: 'here' });
});

test('verify tells what is wrong and where, for people and for programs', async () => {
  const { at, id, log } = await said();
  await writeFile(log, (await readFile(log, 'utf8')).replace('bramble', 'bracken'));
  const { code, stdout } = await cli(['sessions', 'verify', id], at);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^events\.jsonl:\d+ \(byte \d+\): This record does not follow the one before it/);
  const report = JSON.parse((await cli(['sessions', 'verify', id, '--json'], at)).stdout);
  expect(report).toMatchObject({
    session: id,
    problems: [{ file: 'events.jsonl', line: expect.any(Number) }],
  });
});

test('verify looks at the recording, too', async () => {
  const { env } = await server(hello);
  const at = { ...(await place()), env };
  const file = join(at.cwd, 'run.jsonl');
  const { stdout } = await cli(['exec', '--json', 'Hello', '--record', file], at);
  const id = eventsOf(stdout)[0]?.session ?? '';
  const verify = (...options: string[]) => cli(['sessions', 'verify', id, ...options], at);
  expect((await verify()).stdout).toMatch(/: sound; .* no recording, head [0-9a-f]{64}\n$/);
  const recording = join(at.home, 'sessions', id, 'recording.jsonl');
  const text = await readFile(file, 'utf8');
  await writeFile(recording, text);
  const sound = await verify();
  expect(sound).toMatchObject({ code: 0, stderr: '' });
  expect(sound.stdout).toMatch(/: sound; .* a recording of \d+ lines, head [0-9a-f]{64}\n$/);
  await writeFile(recording, text.slice(0, -9));
  expect((await verify()).stdout).toContain('lines (its end is cut off), head');
  await writeFile(recording, text.replace('"kind":"start"', '"kind:"start"'));
  const { code, stdout: told } = await verify('--json');
  expect(code).toBe(1);
  expect(JSON.parse(told)).toMatchObject({
    recording: { lines: expect.any(Number), bytes: expect.any(Number), isCut: false },
    problems: [{ file: 'recording.jsonl', line: expect.any(Number), at: expect.any(Number) }],
  });
});

test('what is no session, or damaged, is refused, and nothing is there', async () => {
  const { at, id } = await said();
  const file = join(at.cwd, 'x.harness-session');
  await cli(['sessions', 'export', id, file], at);
  const there = await place();
  await writeFile(file, (await readFile(file)).subarray(0, -20));
  expect(await cli(['sessions', 'import', file], there)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'harness: This file is damaged or incomplete. Nothing was imported. Copy it again.\n',
  });
  expect((await cli(['sessions', 'import', join(at.cwd, 'nothing')], there)).code).toBe(2);
  expect((await cli(['sessions', 'export', 'nobody'], there)).stderr).toContain(
    'The session “nobody” does not exist.',
  );
  expect((await cli(['sessions', 'export'], there)).code).toBe(2);
  for (const [target, why] of [
    [at.cwd, 'is a folder; name a file in it'],
    [join(at.cwd, 'no/file'), `there is no folder ${join(at.cwd, 'no')}`],
    ['', 'the file name is empty'],
  ] as const) {
    const { code, stderr } = await cli(['sessions', 'export', id, target], at);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
  }
  expect(await readdir(there.home)).toEqual([]);
});

test('an import that fails leaves no folder that it has made, and none that was there goes', async () => {
  const { at, id } = await said();
  const file = join(at.cwd, 'x.harness-session');
  await cli(['sessions', 'export', id, file], at);
  const whole = await readFile(file);
  await writeFile(join(at.cwd, 'cut'), whole.subarray(0, -20));
  await writeFile(join(at.cwd, 'other'), 'no session');
  const fails = [['none'], ['other'], ['cut'], [file, '--cwd', 'nowhere']];
  for (const args of fails) {
    const { cwd, home } = await place();
    const missing = { cwd: at.cwd, home: join(home, 'deeper/home') };
    expect((await cli(['sessions', 'import', ...args], missing)).code, args.join(' ')).toBe(2);
    expect(await readdir(home), args.join(' ')).toEqual([]);
    const logs = join(cwd, 'logs/here');
    expect((await cli(['sessions', 'import', '--log-dir', logs, ...args], missing)).code).toBe(2);
    expect(await readdir(cwd)).toEqual([]);
    await mkdir(join(home, 'sessions'));
    expect((await cli(['sessions', 'import', ...args], { cwd: at.cwd, home })).code).toBe(2);
    expect(await readdir(home)).toEqual(['sessions']);
  }
});

test('an export replaces no file that it was not told to, and none of a session', async () => {
  const { at, id, log } = await said();
  const mine = join(at.cwd, 'mine.txt');
  await writeFile(mine, 'mine');
  const original = await readFile(log, 'utf8');
  await symlink(join(at.home, 'sessions'), join(at.cwd, 'link'));
  for (const [target, why] of [
    [mine, 'already exists'],
    [log, 'is inside a session folder'],
    [join(at.cwd, 'link', id, 'blobs-of-mine'), 'is inside a session folder'],
  ] as const)
    for (const more of why === 'already exists' ? [[]] : [[], ['--force']]) {
      const { code, stderr } = await cli(['sessions', 'export', id, target, '--format', 'md', ...more], at);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
    }
  expect(await readFile(log, 'utf8')).toBe(original);
  expect(await readFile(mine, 'utf8')).toBe('mine');
  await cli(['sessions', 'export', id, mine, '--format', 'md', '--force'], at);
  expect(await readFile(mine, 'utf8')).toContain('## Harness');
});

test('an export goes where a link leads, and stands in the place of nothing but a file', async () => {
  const { at, id, log } = await said();
  const [target, pipe, link] = ['target.md', 'pipe', 'link'].map((name) => join(at.cwd, name)) as [
    string,
    string,
    string,
  ];
  const exportTo = (file: string) => cli(['sessions', 'export', id, file, '--format', 'md', '--force'], at);
  execFileSync('mkfifo', [pipe]);
  await symlink('target.md', link);
  expect(await exportTo(pipe)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a regular file'),
  });
  expect((await lstat(pipe)).isFIFO()).toBe(true);
  for (const text of [undefined, 'old']) {
    if (text !== undefined) await writeFile(target, text);
    expect(await exportTo(link)).toMatchObject({ code: 0, stdout: `${link}\n` });
    expect(await readlink(link)).toBe('target.md');
    expect(await readFile(target, 'utf8')).toContain('## Harness');
  }
  await rm(link);
  await symlink(log, link);
  const original = await readFile(log, 'utf8');
  expect(await exportTo(link)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('inside a session folder'),
  });
  expect(await readFile(log, 'utf8')).toBe(original);
});

test('an export or an import that is interrupted leaves nothing, and what a killed one left goes with the next', async () => {
  const { at, id, log } = await said();
  const recording = Array.from({ length: 300 }, () =>
    JSON.stringify({ x: randomBytes(60_000).toString('hex') }),
  );
  const header = '{"kind":"recording","version":2,"session":"s"}';
  await writeFile(join(dirname(log), 'recording.jsonl'), `${[header, ...recording].join('\n')}\n`);
  const out = join(at.cwd, 'out');
  await mkdir(out);
  const file = join(out, 'x.harness-session');
  const interruptedIn = (folder: string) => async (kill: (signal: NodeJS.Signals) => void) => {
    await until(() => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.tmp')));
    kill('SIGINT');
  };
  const exported = ['sessions', 'export', id, file];
  expect(await cli(exported, { ...at, started: interruptedIn(out) })).toMatchObject({ code: 130 });
  expect(await readdir(out)).toEqual([]);
  const left = temporaryBeside(file).replace(`-${process.pid}-`, `-${NOBODY}-`);
  await writeFile(left, 'half');
  expect(await cli(exported, at)).toMatchObject({ code: 0 });
  expect(await readdir(out)).toEqual(['x.harness-session']);
  const there = await place();
  const sessions = join(there.home, 'sessions');
  const imported = ['sessions', 'import', file];
  expect(await cli(imported, { ...there, started: interruptedIn(sessions) })).toMatchObject({ code: 130 });
  expect(await readdir(there.home)).toEqual([]);
});

test('an export without what could not be read says so, and fails', async () => {
  const { at, id } = await said();
  const blobs = join(at.home, 'sessions', id, 'blobs');
  const [blob = ''] = await readdir(blobs);
  await rm(join(blobs, blob));
  await symlink(blob, join(blobs, blob));
  for (const more of [[], ['--json', '--force']]) {
    const { code, stdout, stderr } = await cli(['sessions', 'export', id, 'x.harness-session', ...more], at);
    expect([code, stderr]).toEqual([1, expect.stringContaining('could not read 1 stored file ')]);
    expect(stdout).toContain('x.harness-session');
  }
});

test('what a session is called moves no cursor of whoever lists it', async () => {
  const { at, id } = await said('\u001b[2J\u202Eforged');
  expect((await cli(['sessions', 'list'], at)).stdout).toMatch(
    new RegExp(`^${id}.*\\\\u\\{1b\\}\\[2J\\\\u\\{202e\\}forged\\n$`),
  );
});

test('a session that cannot be read is told, with the reason, and the others are listed', async () => {
  const { at, id } = await said();
  const sessions = join(at.home, 'sessions');
  const [folder, loop] = ['20240101000000-folder', '20240101000000-loop'].map((name) => join(sessions, name));
  await mkdir(join(String(folder), 'events.jsonl'), { recursive: true });
  await mkdir(String(loop));
  await symlink('events.jsonl', join(String(loop), 'events.jsonl'));
  await mkdir(join(sessions, '20240101000000-none'));
  for (const options of [[], ['--json']]) {
    const { code, stdout, stderr } = await cli(['sessions', 'list', ...options], at);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining(id)]);
    const lines = stderr.trim().split('\n').sort();
    expect(lines).toEqual([
      expect.stringMatching(/^harness: 20240101000000-folder cannot be read: EISDIR/),
      expect.stringMatching(/^harness: 20240101000000-loop cannot be read: ELOOP/),
    ]);
    expect(code).toBe(1);
  }
  await rm(join(sessions, id), { recursive: true });
  expect((await cli(['sessions', 'list'], at)).stderr).not.toContain('There are no sessions');
});

test('a file that is imported moves no cursor of whoever reads why it is refused', async () => {
  const { at, id } = await said();
  const file = join(at.cwd, 'x.harness-session');
  await cli(['sessions', 'export', id, file], at);
  const lines = gunzipSync(await readFile(file))
    .toString('latin1')
    .split('\n');
  const forged = JSON.stringify({ file: '\u001b[2J\nharness: imported\u0007', base64: '' });
  await writeFile(file, gzipSync(Buffer.from(lines.toSpliced(1, 0, forged).join('\n'), 'latin1')));
  const { code, stderr } = await cli(['sessions', 'import', file], await place());
  expect(code).toBe(2);
  expect(stderr).toContain('\\u{1b}[2J\n  harness: imported\\u{7}');
  expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
});

test('for people it is Markdown, or one page', async () => {
  const { at, id } = await said();
  expect((await cli(['sessions', 'export', id, '--format', 'md'], at)).stdout).toBe(
    `${join(at.cwd, `${id}.md`)}\n`,
  );
  expect(await readFile(join(at.cwd, `${id}.md`), 'utf8')).toContain('## Harness\n\nHello <b>you</b>.');
  await cli(['sessions', 'export', id, 'page.html', '--format', 'html'], at);
  const page = await readFile(join(at.cwd, 'page.html'), 'utf8');
  expect(page).toContain('<p>Hello &lt;b&gt;you&lt;/b&gt;.</p>');
});

test('a secret of the environment is in no request, no output and no file', async () => {
  const canary = 'canary4711canary0815';
  const { env, fake } = await server(hello);
  const at = { ...(await place()), env: { ...env, CI_TOKEN: canary } };
  const { stdout } = await cli(['exec', '--json', `use ${canary} and ${KEY}`], at);
  const id = eventsOf(stdout)[0]?.session ?? '';
  await cli(['sessions', 'export', id, 'page.html', '--format', 'html'], at);
  const files = await readdir(at.home, { recursive: true, withFileTypes: true });
  const kept = await Promise.all(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
  );
  kept.push(
    stdout,
    fake.requests.map(({ raw }) => raw).join(),
    await readFile(join(at.cwd, 'page.html'), 'utf8'),
  );
  for (const text of kept) for (const secret of [canary, KEY]) expect(text).not.toContain(secret);
  expect(stdout).toContain('[redacted:secret#');
});

test('a tool that is called by hand says what it says, and no secret of it is in a file', async () => {
  const canary = 'canary4711canary0815';
  const at = { ...(await place()), env: { CI_TOKEN: canary } };
  const token = `ghp_${random(36)}`;
  const command = `echo ${token} ${canary}`;
  const { stdout } = await cli(['tool', 'bash', JSON.stringify({ command }), '--yes'], at);
  expect(stdout).toContain(`${token} ${canary}`);
  const audit = await readFile(join(at.home, 'audit.jsonl'), 'utf8');
  expect(audit).toContain('[redacted:github-token#');
  for (const secret of [canary, token]) expect(audit).not.toContain(secret);
});

test('the files of a session become what they were, after a dry run that changes nothing', async () => {
  const call = (name: string, input: object) => ({ blocks: [{ type: 'tool_use' as const, name, input }] });
  const replies = [
    call('read', { path: 'a.txt' }),
    call('write', { path: 'a.txt', content: 'new' }),
    call('bash', { command: 'echo x > b.txt; rm c.txt' }),
    { blocks: [{ type: 'text' as const, text: 'Done.' }] },
  ];
  const { env } = await server((_request, index) => replies[index] ?? { status: 500, body: {} });
  const at = { ...(await place()), env };
  await writeFile(join(at.cwd, 'a.txt'), 'old');
  await writeFile(join(at.cwd, 'c.txt'), 'c');
  const { stdout } = await cli(['exec', '--json', '--yes', 'Change them'], at);
  const id = eventsOf(stdout)[0]?.session ?? '';
  const restore = ['sessions', 'restore', id, '--to', '1'];
  const dry = await cli([...restore, '--dry-run', '--json'], at);
  expect(JSON.parse(dry.stdout).map(({ step }: { step: string }) => step)).toEqual(Array(3).fill('restore'));
  expect((await readdir(at.cwd)).sort()).toEqual(['a.txt', 'b.txt']);
  expect(await cli(restore, at)).toMatchObject({ code: 0, stderr: '' });
  expect((await readdir(at.cwd)).sort()).toEqual(['a.txt', 'c.txt']);
  expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('old');
  expect((await cli(restore.slice(0, 3), at)).code).toBe(2);
});
