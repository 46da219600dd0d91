import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../extension/node/fs/is-running.ts';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { type CliOptions, cli } from '../support/cli.ts';
import { place, server } from '../support/cli-place.ts';
import { recordUntilKilled } from '../support/record-until-killed.ts';
import { until } from '../support/until.ts';

beforeAll(buildCliIfStale);

type Place = Awaited<ReturnType<typeof place>>;

interface Call {
  readonly name: string;
  readonly input: object;
}

const CALLS: readonly Call[] = [
  { name: 'read', input: { path: 'old.txt' } },
  { name: 'write', input: { path: 'sub/new.txt', content: 'fresh\n' } },
  {
    name: 'edit',
    input: {
      path: 'old.txt',
      operations: [{ op: 'replace', startLine: 2, endLine: 2, content: ['TWO'] }],
    },
  },
  {
    name: 'bash',
    input: {
      command:
        'cat old.txt sub/new.txt; rm script.sh; test -n "$FLAVOUR" || FLAVOUR=none; echo $FLAVOUR; pwd',
    },
  },
  { name: 'read', input: { path: 'old.txt' } },
];

/** A run that read, wrote, edited and ran a command, recorded. Afterwards its workspace is gone, and there is an empty folder for what is temporary. */
async function recordedRun(
  calls: readonly Call[] = CALLS,
  where: Place | Promise<Place> = place(),
  more: Record<string, string> = {},
) {
  const { cwd, home } = await where;
  await writeFile(join(cwd, 'old.txt'), 'one\ntwo\nthree\n');
  await writeFile(join(cwd, 'script.sh'), 'echo hi\n', { mode: 0o755 });
  const { fake, env } = await server(({ messages }) => {
    const call = calls[(messages.length - 1) / 2];
    return call
      ? { blocks: [{ type: 'tool_use', ...call }], stop_reason: 'tool_use' }
      : { blocks: [{ type: 'text', text: 'All done.' }] };
  });
  const file = join(home, 'run.harness');
  const ran = await cli(['exec', 'Go', '--yes', '--json', '--record', file], {
    cwd,
    home,
    env: { ...env, ...more },
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  await fake.close();
  await rm(cwd, { recursive: true });
  await mkdir(cwd);
  const temporary = join(home, 'temporary');
  await mkdir(temporary);
  const live = (
    args: readonly string[] = ['--yes'],
    more: Record<string, string> = {},
    started: CliOptions['started'] = () => {},
  ) =>
    cli(['replay', file, '--live-tools', ...args], {
      cwd: home,
      home,
      env: { TMPDIR: temporary, ...more },
      started,
    });
  return { cwd, home, file, live, temporary };
}

test('tools live on a scratch copy give again what was recorded, and nothing else is touched', async () => {
  const { cwd, live, temporary } = await recordedRun();
  const replayed = await live();
  expect(replayed.stderr).toMatch(/begins with 2 files/);
  expect(replayed.stderr).toMatch(/no result differs \([1-9]\d* compared\)/);
  expect(replayed.code).toBe(0);
  expect(await readdir(cwd), 'the recorded workspace').toEqual([]);
  expect(readdirSync(temporary), 'the scratch folder is removed').toEqual([]);
});

test('where no tool was called, nothing is called equal', async () => {
  const { live } = await recordedRun([]);
  expect(await live()).toMatchObject({ code: 1, stderr: expect.stringContaining('no result that can be') });
});

test('what a command does for real is seen: a result that differs is shown as a diff', async () => {
  const { live } = await recordedRun();
  const replayed = await live(['--yes'], { FLAVOUR: 'vanilla' });
  expect(replayed.code).toBe(1);
  expect(replayed.stderr).toMatch(/1 of \d+ results differ/);
  expect(replayed.stderr).toMatch(/^-none/m);
  expect(replayed.stderr).toMatch(/^\+vanilla/m);
});

test('a file that was another one at the beginning makes its calls differ, and the rest is played', async () => {
  const { file, live } = await recordedRun();
  const lines = (await readFile(file, 'utf8')).split('\n');
  const other = lines.map((line) =>
    line.includes('"kind":"log"') ? line : line.replaceAll('one\\ntwo\\nthree\\n', 'uno\\ntwo\\nthree\\n'),
  );
  await writeFile(file, other.join('\n'));
  const replayed = await live();
  expect(replayed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/[1-9]\d* of \d+ results differ/),
  });
  expect(replayed.stderr).toMatch(/^-.*one/m);
  expect(replayed.stderr).toMatch(/^\+.*uno/m);
  expect(replayed.stderr, 'what is behind the difference is not known').toMatch(/is not known/);
});

test('no command runs that nobody has allowed', async () => {
  const { live, temporary } = await recordedRun();
  const refused = await live([]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('run it with --yes') });
  expect(refused.stderr, 'what would run').toContain('rm script.sh');
  expect(readdirSync(temporary)).toEqual([]);
  const harmless = await recordedRun(CALLS.filter(({ name }) => name !== 'bash'));
  expect(await harmless.live([])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('no result differs'),
  });
});

test('what is shown is the command as it would run, in the copy and not in the recorded folder', async () => {
  const { cwd, home } = await place();
  const odd = join(cwd, '"/b');
  await mkdir(odd, { recursive: true });
  const command = `echo "${odd}" ; touch ${home}/crept ; #"`;
  const { live } = await recordedRun([{ name: 'bash', input: { command } }], { cwd: odd, home });
  expect(existsSync(join(home, 'crept')), 'when it was recorded, all of it was one text').toBe(false);
  const { stderr } = await live([]);
  expect(stderr).toMatch(/^ {2}echo "[^"]+\/0\/b" ; touch /m);
  expect(stderr.replaceAll(/^harness: .*$/gm, ''), 'what is shown of commands').not.toContain(odd);
});

test('--keep leaves the scratch folder and tells its path', async () => {
  const { live } = await recordedRun();
  const { code, stderr } = await live(['--yes', '--keep']);
  const [, scratch = ''] = /The scratch folder is (\S+)/.exec(stderr) ?? [];
  expect(code).toBe(0);
  expect(await readFile(join(scratch, '0/repo/old.txt'), 'utf8')).toBe('one\nTWO\nthree\n');
  expect(await readdir(join(scratch, '0/repo'))).toEqual(['old.txt', 'sub']);
});

test('options that do not go together are told', async () => {
  const { home, file, live } = await recordedRun(CALLS.slice(0, 1));
  expect(await cli(['replay', file, '--step', '--speed', '1'], { cwd: home, home })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no --speed'),
  });
  expect(await live(['--step'])).toMatchObject({ code: 2, stderr: expect.stringContaining('no --step') });
  const alone = await cli(['replay', file, '--keep'], { cwd: home, home });
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('belong to --live-tools') });
});

test('no tool follows a link out of the scratch folder', async () => {
  const where = place();
  const outside = join((await where).cwd, '../outside');
  await mkdir(outside);
  const calls = [
    { name: 'bash', input: { command: `ln -s ${outside} out` } },
    { name: 'write', input: { path: 'out/new.txt', content: 'x' } },
  ];
  const { live } = await recordedRun(calls, where);
  expect(await readdir(outside), 'the recorded run got there').toEqual(['new.txt']);
  await rm(join(outside, 'new.txt'));
  await rm((await where).cwd, { recursive: true });
  const replayed = await live();
  expect(replayed).toMatchObject({ code: 0, stderr: expect.stringContaining('no result differs') });
  expect(await readdir(outside)).toEqual([]);
});

test('paths of the recorded workspace are turned into those of the copy, also in commands and what they print', async () => {
  const where = place();
  const { cwd } = await where;
  const path = join(cwd, 'named.txt');
  const calls = [
    { name: 'write', input: { path, content: 'x' } },
    { name: 'bash', input: { command: `cp ${path} ${cwd}/two.txt; ls ${cwd}; echo ${path}; pwd` } },
    { name: 'read', input: { path: join(cwd, 'none.txt') } },
  ];
  const { live } = await recordedRun(calls, where);
  expect(await live()).toMatchObject({ code: 1, stderr: expect.stringMatching(/^-\s*.*old\.txt/m) });
  expect(await readdir(cwd)).toEqual([]);
});

test('no way of naming the recorded workspace leads a command there', async () => {
  const where = place();
  const { cwd } = await where;
  const HOME = dirname(cwd);
  const command = `tar -cf- old.txt | tar -C${cwd} -xf- && cp old.txt ~/repo/a.txt && cp old.txt "$HOME"/repo/b.txt && cp old.txt ${HOME}//repo/c.txt`;
  const calls = [
    { name: 'read', input: { path: 'old.txt' } },
    { name: 'bash', input: { command } },
  ];
  const { live } = await recordedRun(calls, where, { HOME });
  expect((await live(['--yes'], { HOME })).stderr).toContain('no result differs');
  expect(await readdir(cwd)).toEqual([]);
});

test('what may get at the recorded workspace through a folder above it runs by no --yes, where that is here', async () => {
  const where = place();
  const { cwd } = await where;
  const calls = [{ name: 'bash', input: { command: `cd ${dirname(cwd)} && touch repo/later.txt` } }];
  const { live, temporary } = await recordedRun(calls, where);
  const refused = await live();
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/only y on a terminal does/) });
  expect(refused.stderr.split('touch repo/later.txt')).toHaveLength(3);
  expect(readdirSync(temporary)).toEqual([]);
  expect(await readdir(cwd)).toEqual([]);
  await rm(cwd, { recursive: true });
  expect((await live()).stderr).not.toContain('nobody has allowed');
});

test.each(['cd && touch repo/later.txt', 'touch $PLACE/later.txt', 'touch ~/x/../repo/later.txt'])(
  'where the recorded workspace is here, that is said first, and %s runs by no --yes',
  async (command) => {
    const where = place();
    const { cwd } = await where;
    const more = { HOME: dirname(cwd), PLACE: cwd };
    await mkdir(join(more.HOME, 'x'), { recursive: true });
    const { live } = await recordedRun([{ name: 'bash', input: { command } }], where, more);
    const refused = await live(['--yes'], more);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/only y on a terminal does/) });
    expect(refused.stderr.split('\n')[0]).toBe(
      `harness: The recorded workspace itself is on this machine: ${cwd}`,
    );
    expect(await readdir(cwd)).toEqual([]);
  },
);

test('the recording of a process that was killed is played with live tools to its end', async () => {
  const { cwd, home, file } = await recordUntilKilled('test -n "$QUICK" || sleep 5');
  const args = ['replay', file, '--live-tools'];
  expect(await cli(args, { cwd, home }), 'its command is one of those that would run').toMatchObject({
    code: 2,
    stderr: expect.stringContaining('touch here'),
  });
  const replayed = await cli([...args, '--yes', '--keep'], { cwd, home, env: { QUICK: '1' } });
  const [, scratch = ''] = /The scratch folder is (\S+)/.exec(replayed.stderr) ?? [];
  onTestFinished(() => rm(scratch, { recursive: true }));
  expect(replayed).toMatchObject({ code: 1, stderr: expect.stringContaining('no result that can be') });
  expect(await readdir(join(scratch, '0/repo')), 'it has run').toEqual(['here']);
});

test('a replay that is interrupted ends its command and leaves nothing', async () => {
  const { live, temporary } = await recordedRun([
    { name: 'bash', input: { command: 'echo $$ >pid; test -z "$SLOW" || sleep 50' } },
  ]);
  const told = () => {
    const files = readdirSync(temporary).map((name) => join(temporary, name, '0/repo/pid'));
    return files.filter((file) => existsSync(file)).map((file) => Number(readFileSync(file, 'utf8')))[0];
  };
  let command = 0;
  const killed = await live(['--yes'], { SLOW: '1' }, async (kill) => {
    await until(() => Boolean(told()));
    command = told() ?? 0;
    kill('SIGINT');
  });
  expect(killed.code).toBe(130);
  expect(command).toBeGreaterThan(0);
  expect(readdirSync(temporary)).toEqual([]);
  await until(() => !isRunning(command));
});
