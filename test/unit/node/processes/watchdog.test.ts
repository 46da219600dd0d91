import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning, isThere, isWritten } from '../../../support/is-running.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { until } from '../../../support/until.ts';

function start(folder: string, ...commands: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, '../../../support/run-until-killed.ts'), [folder, ...commands], {
    execArgv: ['--experimental-transform-types', '--no-warnings'],
    env: { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) },
  });
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Their ids. */
function childrenOf({ pid }: ChildProcess): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const ids = processes.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return ids.flatMap(([id, parent]) => (id !== undefined && parent === pid ? [id] : []));
}

test.skipIf(process.platform === 'win32')(
  'the commands of a process that is killed end with it',
  async () => {
    const folder = await tempDir();
    const commands = [
      'echo $$ > shell',
      '(sh -c "echo \\$\\$ > background; exec sleep 600") &',
      'setsid sh -c "echo \\$\\$ > own-group; exec sleep 600" &',
      'wait',
    ];
    // Its watchdog must have seen one command come and go.
    const child = start(folder, 'true', commands.join('\n'));
    const files = ['shell', 'background', 'own-group'].map((name) => join(folder, name));
    await until(() => files.every(isWritten));
    for (const file of files) expect(await isRunning(file), file).toBe(true);
    await kill(child);
    await expect.poll(() => Promise.all(files.map(isRunning))).toEqual([false, false, false]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a command whose process is killed is asked to end before it is ended',
  async () => {
    const folder = await tempDir();
    const asked = join(folder, 'asked');
    // What the watchdog calls to wait for a second waits as long as a busy machine needs.
    const patient = `#!/bin/sh\nuntil [ -s ${asked} ] || [ ! -e ${folder} ]; do /bin/sleep 0.05; done\n`;
    await writeFile(join(folder, 'sleep'), patient, { mode: 0o755 });
    const child = start(
      folder,
      // Nobody reads what its shell says of the sleep that was ended.
      "exec 2> /dev/null; trap 'echo yes > asked; exit' TERM; echo $$ > shell; while :; do sleep 0.05; done",
    );
    await until(() => isWritten(join(folder, 'shell')));
    expect(isWritten(asked)).toBe(false);
    await kill(child);
    await expect.poll(() => isWritten(asked)).toBe(true);
    await expect.poll(() => isRunning(join(folder, 'shell'))).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')(
  'what watches over commands ends with a process of which none runs',
  async () => {
    const child = start(await tempDir(), 'true');
    await once(child, 'message');
    const watching = childrenOf(child);
    expect(watching.filter(isThere)).toHaveLength(1);
    await kill(child);
    await expect.poll(() => watching.filter(isThere)).toEqual([]);
  },
);
