import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ShellResult } from '../../../../extension/core/ports/shell.ts';
import { NodeShell } from '../../../../extension/node/processes/node-shell.ts';
import { OutputBuffer } from '../../../../extension/node/processes/output-buffer.ts';
import { shellProgram } from '../../../../extension/node/processes/shell-program.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { until } from '../../../support/until.ts';

interface Started {
  readonly cwd: string;
  readonly live: string[];
  readonly cancel: () => void;
  readonly done: Promise<ShellResult>;
}

async function start(command: string, timeoutMs = 100_000, maxBytes = 100_000): Promise<Started> {
  const cwd = await tempDir();
  const live: string[] = [];
  const abort = new AbortController();
  const done = new NodeShell().run(
    { command, cwd, timeoutMs, maxBytes },
    (_, text) => live.push(text),
    abort.signal,
  );
  return { cwd, live, cancel: () => abort.abort(), done };
}

/** Waits until the command has said that it is ready. */
async function ready({ live }: Started): Promise<void> {
  await until(() => live.join('').includes('ready'));
}

/** The processes whose working directory or command line names the folder. */
async function processesOf(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes(folder));
}

describe('the end of a command', () => {
  it.each([
    ['true', 0],
    ['exit 7', 7],
    ['kill -KILL $$', 137],
    ['kill -TERM $$', 143],
    ['no-such-program', 127],
  ])('%s has the exit code %i', async (command, exitCode) => {
    expect(await (await start(command)).done).toMatchObject({ end: 'exited', exitCode });
  });

  it('does not wait for a background child that keeps the pipe', async () => {
    const started = await start('sleep 1000 & echo "pid $!"');
    const { stdout, exitCode } = await started.done;
    const pid = Number(/pid (\d+)/.exec(stdout)?.[1]);
    expect(exitCode).toBe(0);
    expect(process.kill(pid, 0)).toBe(true);
    process.kill(pid);
  });

  it('lets a background child go on writing', async () => {
    const started = await start(
      '(until [ -e go ]; do sleep 0.05; done; echo more; touch survived) & echo first',
    );
    expect((await started.done).stdout).toBe('first\n');
    await writeFile(join(started.cwd, 'go'), '');
    await until(() => existsSync(join(started.cwd, 'survived')));
  });

  it('keeps all output of a command that ends at once', async () => {
    const { stdout } = await (await start('head -c 90000 /dev/zero | tr "\\0" x')).done;
    expect(stdout).toHaveLength(90_000);
  });
});

describe.skipIf(process.platform !== 'linux')('when it is cancelled or takes too long', () => {
  const marks: string[] = [];

  afterEach(async () => {
    // What was sent KILL ends when it is next its turn.
    for (const mark of marks.splice(0)) await expect.poll(() => processesOf(mark)).toEqual([]);
  });

  /** Processes are recognised by the folder's name in their command line. */
  async function startMarked(command: (mark: string) => string, timeoutMs?: number): Promise<Started> {
    const mark = await tempDir();
    marks.push(mark);
    return start(command(mark), timeoutMs);
  }

  const sleeper = (mark: string) => `bash -c 'exec -a ${mark} sleep 1000'`;

  it.each<[name: string, command: (mark: string) => string]>([
    ['a plain command', (mark) => `echo ready; ${sleeper(mark)}`],
    [
      'children and grandchildren',
      (mark) => `(${sleeper(mark)} & ${sleeper(mark)} & wait) & echo ready; wait`,
    ],
    ['a child in a session of its own', (mark) => `setsid ${sleeper(mark)} & echo ready; wait`],
    [
      'a child that left with nohup',
      (mark) => `nohup setsid ${sleeper(mark)} >/dev/null 2>&1 & echo ready; sleep 1000`,
    ],
    ['one that ignores TERM', (mark) => `trap '' TERM; echo ready; while :; do ${sleeper(mark)}; done`],
    ['a stopped one', (mark) => `${sleeper(mark)} & kill -STOP $!; echo ready; wait`],
    ['many', (mark) => `for i in {1..100}; do setsid ${sleeper(mark)} & done; echo ready; wait`],
  ])('%s is ended with its tree', async (_, command) => {
    const started = await startMarked(command);
    await ready(started);
    started.cancel();
    expect(await started.done).toMatchObject({ end: 'cancelled', stdout: 'ready\n' });
  });

  it('gives the command a chance to clean up', async () => {
    const started = await startMarked(
      (mark) => `trap 'echo bye; touch cleaned; exit' TERM; echo ready; ${sleeper(mark)} & wait`,
    );
    await ready(started);
    started.cancel();
    expect((await started.done).stdout).toBe('ready\nbye\n');
    expect(await readdir(started.cwd)).toEqual(['cleaned']);
  });

  it('ends at its time limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const started = await startMarked(
      (mark) => `echo ready; setsid ${sleeper(mark)} & ${sleeper(mark)}`,
      5_000,
    );
    await ready(started);
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    expect(await started.done).toMatchObject({ end: 'timeout', stdout: 'ready\n' });
  });

  it('leaves other processes alone', async () => {
    const other = await start('sleep 1000 & echo "ready $!"');
    const pid = Number(/ready (\d+)/.exec((await other.done).stdout)?.[1]);
    const started = await startMarked((mark) => `echo ready; ${sleeper(mark)}`);
    await ready(started);
    started.cancel();
    await started.done;
    expect(process.kill(pid, 0)).toBe(true);
    process.kill(pid);
  });

  it('does not start what was cancelled before', async () => {
    const cwd = await tempDir();
    const command = { command: 'touch started', cwd, timeoutMs: 1000, maxBytes: 10 };
    const result = await new NodeShell().run(command, () => undefined, AbortSignal.abort());
    expect(result.end).toBe('cancelled');
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('output', () => {
  it('never has half a character in it', async () => {
    const { live, done } = await start(
      "printf '\\xf0\\x9f'; sleep 0.1; printf '\\x98\\x80'; printf 'a\\xff'",
    );
    expect((await done).stdout).toBe('😀a\ufffd');
    expect(live.join('')).toBe('😀a\ufffd');
    expect(live.every((text) => !/\p{Surrogate}/u.test(text))).toBe(true);
  });

  it('is cut between characters, and keeps its end', async () => {
    const { live, done } = await start("for i in {1..2000}; do printf '€€€€€€€€€€'; done", 100_000, 1000);
    const { stdout } = await done;
    const half = '€'.repeat(166);
    expect(stdout).toBe(`${half}\n... (59000 bytes left out)\n${half}\n... (truncated)`);
    expect(live.join('')).toBe(`${'€'.repeat(333)}\n... (truncated)`);
  });

  it('is whole in a file if it is too long', async () => {
    const cwd = await tempDir();
    const file = join(cwd, 'output.txt');
    const command = 'seq 1000; echo problem >&2; seq 1001 2000';
    const { signal } = new AbortController();
    const run = (maxBytes: number) =>
      new NodeShell().run({ command, cwd, timeoutMs: 100_000, maxBytes, file }, () => undefined, signal);
    expect((await run(100_000)).file).toBeUndefined();
    expect(existsSync(file)).toBe(false);
    const result = await run(1000);
    expect(result).toMatchObject({ file, stderr: 'problem\n' });
    expect(result.stdout).toContain('\n2000\n');
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines.filter((line) => line !== 'problem')).toEqual([...Array(2000)].map((_, at) => `${at + 1}`));
  });

  it('goes without the file if the disk does not take it', async () => {
    const cwd = await tempDir();
    const wanted = {
      command: 'seq 1000',
      cwd,
      timeoutMs: 100_000,
      maxBytes: 1000,
      file: join(cwd, 'no', 'file'),
    };
    const result = await new NodeShell().run(wanted, () => undefined, new AbortController().signal);
    expect(result).toMatchObject({ end: 'exited', exitCode: 0 });
    expect(result.file).toBeUndefined();
  });

  it('is not cut where it just fits', () => {
    const buffer = new OutputBuffer(4);
    expect([buffer.push(Buffer.from('abc')), buffer.push(Buffer.from('d')), buffer.finish()]).toEqual([
      'abc',
      'd',
      '',
    ]);
    expect(buffer.text()).toBe('abcd');
    expect(buffer.push(Buffer.from('e'))).toBe('\n... (truncated)');
    expect(buffer.push(Buffer.from('f'))).toBe('');
  });
});

it('does not keep the process alive for a child in the background', async () => {
  const folder = await tempDir();
  const script = join(folder, 'script.ts');
  const shell = new URL('../../../../extension/node/processes/node-shell.ts', import.meta.url);
  await writeFile(
    script,
    `import { NodeShell } from '${shell.href}';
     const command = { command: 'sleep 1000 & echo $!', cwd: '/', timeoutMs: 9999, maxBytes: 99 };
     console.log((await new NodeShell().run(command, () => undefined, new AbortController().signal)).stdout);`,
  );
  const options = ['--experimental-transform-types', '--no-warnings', script];
  const { stdout } = await promisify(execFile)(process.execPath, options, { timeout: 100_000 });
  process.kill(Number(stdout));
});

it('finds the children of a Harness that runs inside of it', async () => {
  const { done } = await start(
    'echo "$HARNESS_CALL"; HARNESS_CALL="$HARNESS_CALL inner" bash -c \'echo "$HARNESS_CALL"\'',
  );
  const [own = '', inner = ''] = (await done).stdout.trim().split('\n');
  expect(own).toMatch(/[0-9a-f-]{36}$/);
  expect(inner).toBe(`${own} inner`);
});

it('names the shell', () => {
  expect(shellProgram('linux', 'powershell')).toMatchObject({
    file: '/bin/bash',
    description: 'bash on Linux',
  });
  expect(shellProgram('darwin', 'git-bash').description).toBe('bash on macOS');
  expect(shellProgram('linux', 'powershell').argumentsFor('a b')).toEqual(['-c', 'a b']);
  expect(shellProgram('win32', 'git-bash')).toMatchObject({ description: 'Git Bash on Windows' });
  const power = shellProgram('win32', 'powershell');
  expect(power.description).toContain('PowerShell');
  expect(power.argumentsFor('Get-Item .').at(-1)).toContain('\nGet-Item .\n');
});
