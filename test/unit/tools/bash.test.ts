import { existsSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Shell, SpawnError } from '../../../extension/core/ports/shell.ts';
import { bash } from '../../../extension/core/tools/bash/bash.ts';
import { RUNNING_CALL } from '../../support/running-call.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { until } from '../../support/until.ts';
import { bench, diskWorkspace } from './call-tool.ts';

async function shellIn(timeoutMs?: number) {
  const folder = await tempDir();
  const tools = bench(diskWorkspace(folder), undefined, { timeoutMs });
  const run = (command: string) => tools.call(bash, { command });
  /** Runs commands that print, each when the output of the one before has arrived. */
  const answered = async (...commands: readonly string[]) => {
    const live: string[] = [];
    const command = commands.join('; until [ -e heard ]; do sleep 0.05; done; rm heard; ');
    const { signal } = new AbortController();
    const prepared = await bash.prepare({ command }, tools.context, signal);
    const output = await prepared.execute(
      signal,
      (stream, text) => {
        live.push(`${stream}:${text}`);
        writeFileSync(join(folder, 'heard'), '');
      },
      RUNNING_CALL,
    );
    return { live, output };
  };
  /** Runs a command whose time is up when what it prints has arrived. */
  const timedOut = async (command: string) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const failed = run(`${command}; touch printed; sleep 60`).catch((reason: Error) => reason);
    await until(() => existsSync(join(folder, 'printed')));
    // It lies in the pipes, which are read once in each turn.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(timeoutMs ?? 0);
    vi.useRealTimers();
    return (await failed) as Error;
  };
  return { ...tools, folder, run, answered, timedOut };
}

it('runs a command in the workspace folder', async () => {
  const { run, folder } = await shellIn();
  const { result, action } = await run('pwd; echo problem >&2; exit 3');
  expect(result).toEqual({ stdout: `${folder}\n`, stderr: 'problem\n', exitCode: 3 });
  const command = 'pwd; echo problem >&2; exit 3';
  expect(action).toEqual({ kind: 'run', tool: 'bash', targets: [], command, cwd: folder });
});

it('gives the output live', async () => {
  const { answered } = await shellIn();
  const { live, output } = await answered("printf '\\e[31mé'", 'echo err >&2');
  expect(live).toEqual(['stdout:\x1b[31mé', 'stderr:err\n']);
  expect(output.result).toMatchObject({ stdout: 'é', stderr: 'err\n' });
});

it('shows people the colours that it leaves out of the result, in the order of arrival', async () => {
  const { answered } = await shellIn();
  const { output } = await answered("printf '\\e[31mone\\e[0m\\n' >&2", 'echo two', 'echo three >&2');
  const { result, shown } = output;
  expect(result).toEqual({ stdout: 'two\n', stderr: 'one\nthree\n', exitCode: 0 });
  expect(shown).toEqual({ start: '\x1b[31mone\x1b[0m\ntwo\nthree\n' });
});

it('shows nothing more where there are none', async () => {
  const { run } = await shellIn();
  expect((await run('echo one; echo two >&2')).shown).toBeUndefined();
});

it('is bash', async () => {
  const { run } = await shellIn();
  expect((await run('[[ abc == a* ]] && echo "$BASH"')).result).toEqual({
    stdout: '/bin/bash\n',
    stderr: '',
    exitCode: 0,
  });
});

it('has no standard input', async () => {
  const { run } = await shellIn();
  expect((await run('cat; read x; echo "read: $?"')).result.stdout).toBe('read: 1\n');
});

it('keeps the beginning and the end of a stream over 1 MB', async () => {
  const { run } = await shellIn();
  const { result } = await run(
    "echo first; head -c 1048570 /dev/zero | tr '\\0' x; echo ' the summary é'; head -c 1048576 /dev/zero | tr '\\0' y >&2",
  );
  expect(result.stdout).toMatch(
    /^first\nx+\n\.\.\. \(16 bytes left out\)\nx+ the summary é\n\n\.\.\. \(truncated\)$/,
  );
  expect(result.stderr).toBe('y'.repeat(1048576));
});

it('tells what was printed before the time was up', async () => {
  const { timedOut } = await shellIn(3_000);
  const { message } = await timedOut('echo begun; echo trouble >&2');
  expect(message).toBe(
    'command timed out after 3 s and was ended; give a longer timeout, or run it with background: true\n' +
      'stdout so far:\nbegun\nstderr so far:\ntrouble\n',
  );
});

it('clamps a timeout over the limit, and says so', async () => {
  const { call } = await shellIn(3_000);
  const { result, text } = await call(bash, { command: 'echo fast', timeout: 900 });
  expect(result).toMatchObject({ note: 'a timeout of 900 s is over the limit; 600 s were used' });
  expect(text).toBe('fast\n(a timeout of 900 s is over the limit; 600 s were used)');
});

it.each([0, -1, 1.5, '5'])('refuses the timeout %j, and says what is right', async (timeout) => {
  const { call } = await shellIn();
  await expect(call(bash, { command: 'true', timeout })).rejects.toThrow(
    'timeout: must be a whole number of seconds, from 1 to 600',
  );
});

it('runs nothing in the background outside of a session, nor with a timeout', async () => {
  const { call } = await shellIn();
  const inBackground = (more: object) => call(bash, { command: 'true', background: true, ...more });
  await expect(inBackground({})).rejects.toThrow('background: there is no session');
  await expect(inBackground({ timeout: 5 })).rejects.toThrow(
    'timeout: a background command has no time limit; leave timeout out',
  );
});

it('shows people the colours of what was printed before the time was up', async () => {
  const { timedOut } = await shellIn(3_000);
  const error = await timedOut("printf '\\033[31mbegun\\033[0m'");
  expect(error).toMatchObject({ shown: { start: '\x1b[31mbegun\x1b[0m' } });
  expect(String(error)).toContain('stdout so far:\nbegun\n');
});

it('keeps the end of a long output when the time was up', async () => {
  const { timedOut } = await shellIn(3_000);
  const { message } = await timedOut('yes 0123456789 | head -n 50000; echo last');
  expect(message).toContain('lines left out');
  expect(message).toContain('last\n');
  expect(message.length).toBeLessThan(101_000);
});

it('refuses what is no command', async () => {
  const { run, call } = await shellIn();
  await expect(run('')).rejects.toThrow('empty command');
  await expect(run(' \n\t')).rejects.toThrow('empty command');
  await expect(run('a\0b')).rejects.toThrow('NUL');
  await expect(call(bash, {})).rejects.toThrow('invalid input for bash: command');
  await expect(call(bash, { command: 'true', wait: 3 })).rejects.toThrow('Unrecognized key: "wait"');
  await expect(bench(diskWorkspace()).call(bash, { command: 'true' })).rejects.toThrow('No folder is open');
});

it('says why a command could not be started', async () => {
  const { run, folder } = await shellIn();
  await expect(run(`: ${'x'.repeat(3_000_000)}`)).rejects.toThrow(
    'could not be started: the command is too long',
  );
  await writeFile(join(folder, 'file'), '');
  const inFile = bench(diskWorkspace(join(folder, 'file')));
  await expect(inFile.call(bash, { command: 'true' })).rejects.toThrow(`there is no folder ${folder}/file`);
});

it('does not take a fault of its own for one of the command', async () => {
  const broken = (error: Error): Shell => ({ description: 'none', run: () => Promise.reject(error) });
  const workspace = diskWorkspace(await tempDir());
  const calling = (error: Error) => bench(workspace, broken(error)).call(bash, { command: 'true' });
  await expect(calling(new SpawnError('no'))).rejects.toThrow('command could not be started: no');
  await expect(calling(new TypeError('bug'))).rejects.toThrow(TypeError);
});
