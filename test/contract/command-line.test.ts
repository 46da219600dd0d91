// What the command line takes and refuses, and that a refusal leaves nothing behind.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { Script } from '../../scripts/lib/claude/fake-anthropic.ts';
import { buildCliIfStale, cliFile } from '../../scripts/lib/cli-build.mjs';
import { cli, eventsOf } from '../support/cli.ts';
import { place, server } from '../support/cli-place.ts';
import { craftedLock } from '../support/crafted-lock.ts';

beforeAll(buildCliIfStale);

/** Writes a file, then says so. */
const writes: Script = (_request, index) =>
  index === 0
    ? { blocks: [{ type: 'tool_use', name: 'write', input: { path: 'a.txt', content: 'new\n' } }] }
    : { blocks: [{ type: 'text', text: 'Written.' }] };

/** Runs a command, then says so. */
const runs: Script = (_request, index) =>
  index === 0
    ? { blocks: [{ type: 'tool_use', name: 'bash', input: { command: 'echo x > made.txt' } }] }
    : { blocks: [{ type: 'text', text: 'Done.' }] };

async function workplace(script = writes) {
  const { env, fake } = await server(script);
  const at = { ...(await place()), env };
  const sessions = join(at.home, 'sessions');
  return { at, fake, sessions, run: (...args: readonly string[]) => cli(args, at) };
}

/** A session that has written a file. */
async function written(...options: readonly string[]) {
  return worked(await workplace(), options);
}

async function worked(here: Awaited<ReturnType<typeof workplace>>, options: readonly string[] = []) {
  const { stdout } = await here.run('exec', '--json', '--yes', ...options, 'Go');
  const id = eventsOf(stdout)[0]?.session ?? '';
  const folder = join(here.sessions, id);
  const log = join(folder, 'events.jsonl');
  /** The process was killed before it wrote the first event of this type. */
  const killBefore = async (type: string) => {
    const lines = (await readFile(log, 'utf8')).split('\n');
    const at = lines.findIndex((line) => line.startsWith(`{"type":"${type}"`));
    await writeFile(log, `${lines.slice(0, at).join('\n')}\n`);
  };
  /** Every file of the session with its bytes. */
  const content = async () => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = names.filter((name) => name.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return new Map(
      await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)),
    );
  };
  return { ...here, id, log, folder, killBefore, content };
}

test('an older Node is told which one is needed, and nothing is done', async () => {
  const { at, sessions } = await workplace();
  const older = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})";
  const env = { ...at.env, NODE_OPTIONS: `--import=data:text/javascript,${older}` };
  const { code, stdout, stderr } = await cli(['exec', 'Go'], { ...at, env });
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Harness requires Node 22.13 or newer. This is Node 20.20.2.\n',
  });
  expect(existsSync(sessions)).toBe(false);
});

test('wrong usage leaves no session, and no file that it names is touched', async () => {
  const { at, sessions, run } = await workplace();
  const precious = join(at.cwd, 'precious');
  await writeFile(precious, 'mine');
  for (const file of [join(at.cwd, 'no', 'such', 'x'), precious]) {
    const { code, stderr } = await run('exec', '--record', file, 'Go');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--record: ') });
  }
  expect(await readFile(precious, 'utf8')).toBe('mine');
  expect((await readdir(sessions).catch(() => [])).filter((name) => name !== 'index.json')).toEqual([]);
  const file = join(at.cwd, 'recording.jsonl');
  expect((await run('exec', '--record', file, '--session', 'nobody', 'Go')).code).toBe(2);
  expect(await readdir(at.cwd)).toEqual(['precious']);
});

test('a dry run of a restore writes nothing, whoever writes the session meanwhile', async () => {
  const { folder, id, run, content } = await written();
  await writeFile(join(folder, 'lock'), await craftedLock({}));
  const before = await content();
  const { code, stdout } = await run('sessions', 'restore', id, '--to', '1', '--dry-run');
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^restore .*a\.txt\nHarness keeps what a restore removes\. Redo brings it back\.\n$/,
    ),
  });
  expect(await content()).toEqual(before);
  expect(await run('sessions', 'restore', id, '--to', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`is open in another window or program (process ${process.pid}).`),
  });
});

test.each([[], ['--dry-run']])(
  'a restore to an event that is not there is wrong usage %s',
  async (...how) => {
    const { id, run } = await written();
    const { code, stderr } = await run('sessions', 'restore', id, '--to', '99999', ...how);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no event 99999') });
  },
);

test.each([[], ['--json']])(
  'a restore that leaves changes which are unknown fails, and says so %s',
  async (...how) => {
    const { id, run, killBefore } = await worked(await workplace(runs));
    await killBefore('files_changed');
    const { code, stdout } = await run('sessions', 'restore', id, '--to', '1', ...how);
    expect(code).toBe(1);
    const unknown = 'The command was interrupted. Its changes up to then are unknown.';
    if (how.length > 0) expect(JSON.parse(stdout)).toEqual([{ unknown }]);
    else expect(stdout).toContain('Some later changes are unknown.');
  },
);

test('of a session whose process was killed it tells what that has changed, and writes nothing either', async () => {
  const { at, id, run, killBefore, content } = await written();
  await killBefore('files_changed');
  const before = await content();
  const { stdout } = await run('sessions', 'restore', id, '--to', '1', '--dry-run', '--json');
  expect(JSON.parse(stdout)).toEqual([{ path: join(at.cwd, 'a.txt'), step: 'restore' }]);
  expect(await content()).toEqual(before);
});

test('who goes on with a session is told what was wrong with it, once', async () => {
  const { run, id, log, killBefore } = await written();
  await killBefore('tool_result');
  const lines = (await readFile(log, 'utf8')).split('\n');
  await writeFile(log, lines.with(1, 'nonsense').join('\n'));
  const { code, stderr } = await run('exec', '--session', id, 'Go on');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^1 record.* could not be read/m);
  expect(stderr).toMatch(/Harness was closed while this was running/);
  const again = await run('exec', '--session', id, '--json', 'And on');
  expect(again.stderr).toBe('');
  expect(eventsOf(again.stdout)[0]).toMatchObject({ type: 'user', content: 'And on' });
});

test('show has the words of a reply that was cut off', async () => {
  const { id, run, log, killBefore } = await written();
  const isLast = (await readFile(log, 'utf8')).lastIndexOf('{"type":"request_ended"');
  await writeFile(log, (await readFile(log, 'utf8')).slice(0, isLast));
  expect((await run('sessions', 'show', id)).stdout).toBe('> Go\nWritten.\n');
  await killBefore('text');
  expect((await run('sessions', 'show', id)).stdout).toBe('> Go\n');
});

test('what a verb does not take is refused, with what it takes', async () => {
  const { run } = await workplace();
  expect(await run('sessions', 'list', '--to', '5')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--to.*; sessions list takes --json, --log-dir\n/),
  });
  expect((await run('sessions', 'show', 'x', '--format', 'html')).code).toBe(2);
  expect((await run('sessions', 'list', 'x')).code).toBe(2);
  expect((await run('sessions', '--json', 'list')).code).toBe(0);
  expect(await run('exec', '--session', 'x', '--continue', 'Go')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('use one of them'),
  });
});

test.each([
  'exec --session nobody Go',
  'exec --continue Go',
  'exec --cwd /etc/passwd Go',
  'replay nobody',
  'sessions show nobody',
  'sessions verify nobody',
  'sessions export nobody',
  'sessions restore nobody --to 1',
  'sessions import /nobody',
  'sessions import /etc',
  'sessions import /etc/passwd',
  'sessions list --log-dir nobody',
  'sessions list --log-dir /etc/passwd',
  'sessions list --log-dir=',
  'sessions import /etc/passwd --log-dir /etc/passwd',
  'exec --log-dir= Go',
])('what is not there, or not of its kind, is wrong usage: %s', async (line) => {
  const { run } = await workplace();
  const { code, stdout, stderr } = await run(...line.split(' '));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^harness: [^\n]+\n(Try “harness --help”\.\n)?$/);
});

test.runIf(existsSync('/dev/full'))('output that cannot be written is told, and is a failure', async () => {
  const { at, id, run } = await written();
  await run('exec', 'Go', '--record', 'run.jsonl');
  for (const command of [
    `sessions show ${id}`,
    `sessions show ${id} --json`,
    'sessions list',
    'replay run.jsonl --json',
  ]) {
    const line = `exec "$1" "$2" ${command} >/dev/full`;
    const shown = promisify(execFile)('sh', ['-c', line, 'sh', process.execPath, cliFile], {
      cwd: at.cwd,
      env: { ...process.env, HARNESS_HOME: at.home },
    });
    await expect(shown, command).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^(▸.*\n)*harness: ENOSPC[^\n]*\n$/),
    });
  }
});

test('an import goes on in a folder, never in a file', async () => {
  const { at, id, run } = await written();
  await run('sessions', 'export', id, 'x.harness-session');
  const there = { ...at, ...(await place()) };
  const file = join(at.cwd, 'x.harness-session');
  const refused = await cli(['sessions', 'import', file, '--cwd', file], there);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a directory') });
  expect((await cli(['sessions', 'list'], there)).stdout).toBe('');
});

test('sessions in a folder of one’s own are listed, shown, checked, exported and restored', async () => {
  const { at, run, id, sessions } = await written('--log-dir', 'logs');
  const dir = ['--log-dir', 'logs'];
  expect(await readdir(sessions).catch(() => [])).not.toContain(id);
  expect((await run('sessions', 'list', ...dir)).stdout).toContain(id);
  expect((await run('sessions', 'show', id, ...dir)).stdout).toContain('Written.');
  expect((await run('sessions', 'verify', id, ...dir)).stdout).toContain(': sound; ');
  expect((await run('sessions', 'export', id, 'x', ...dir)).code).toBe(0);
  expect((await run('sessions', 'import', 'x', '--log-dir', 'others')).stdout).toContain(id);
  expect(await readdir(join(at.cwd, 'others'))).toContain(id);
  expect((await run('sessions', 'restore', id, '--to', '1', ...dir)).code).toBe(0);
  expect(await readdir(at.cwd)).not.toContain('a.txt');
});

test('what Harness writes itself, a recording and logs in the folder, no command has changed', async () => {
  const bash = (command: string) => ({
    blocks: [{ type: 'tool_use' as const, name: 'bash', input: { command } }],
  });
  const replies = [bash('echo 1 > one.out; sleep 0.2'), bash('echo 2 > two.out; sleep 0.2')];
  const { env } = await server((request, index) => replies[index] ?? writes(request, 1));
  const at = { ...(await place()), env };
  const args = ['exec', '--json', '--yes', '--record', 'run.jsonl', '--log-dir', 'logs', 'Go'];
  const { stdout } = await cli(args, at);
  const changed = eventsOf(stdout).flatMap((event) => (event.type === 'files_changed' ? event.changes : []));
  expect(changed.map(({ path }) => path)).toEqual([join(at.cwd, 'one.out'), join(at.cwd, 'two.out')]);
  expect(await cli(['exec', '--log-dir', at.cwd, 'Go'], at)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be the workspace folder'),
  });
});

test('where nothing can be kept, the run goes on in memory, changes nothing and says so', async () => {
  const { at, sessions, run } = await workplace();
  await writeFile(sessions, 'in the way');
  const { code, stdout, stderr } = await run('exec', '--yes', 'Go');
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'Written.\n' });
  expect(stderr).toContain(
    'The conversation continues in memory, and Harness runs nothing that makes changes.',
  );
  expect(stderr).toContain('not run: the session’s log cannot be written');
  expect(stderr).toContain('a file exists where its folder should be');
  expect(await readdir(at.cwd)).toEqual([]);
  expect((await readdir(at.home)).sort()).toEqual(['audit.jsonl', 'sessions']);
});

test('a session of a newer version is shown, and not gone on with', async () => {
  const { at, run, id, log } = await written();
  await writeFile(log, (await readFile(log, 'utf8')).replace('"version":1', '"version":9'));
  const before = await readFile(log, 'utf8');
  for (const verb of [
    ['exec', '--session', id, 'Go'],
    ['sessions', 'restore', id, '--to', '1'],
  ])
    expect(await run(...verb)).toMatchObject({ code: 1, stderr: expect.stringContaining('Update Harness') });
  expect((await run('sessions', 'show', id)).stdout).toContain('Written.');
  expect((await run('sessions', 'restore', id, '--to', '1', '--dry-run')).code).toBe(0);
  expect(await readFile(log, 'utf8')).toBe(before);
  expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('new\n');
});
