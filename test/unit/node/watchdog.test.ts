import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning, isWritten } from '../../support/is-running.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { until } from '../../support/until.ts';

test.skipIf(process.platform === 'win32')(
  'the commands of a process that is killed end with it',
  async () => {
    const folder = await tempDir();
    const child = fork(join(import.meta.dirname, '../../support/run-until-killed.ts'), [folder], {
      execArgv: ['--experimental-transform-types', '--no-warnings'],
    });
    const files = ['shell', 'background', 'own-group'].map((name) => join(folder, name));
    await until(() => files.every(isWritten));
    for (const file of files) expect(await isRunning(file), file).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => Promise.all(files.map(isRunning))).toEqual([false, false, false]);
  },
);
