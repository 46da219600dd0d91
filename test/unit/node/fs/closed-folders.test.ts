import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isRoot, NOBODY } from '../../../support/nobody.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const MAIN = fileURLToPath(new URL('./closed-folders.main.ts', import.meta.url));

/** What an ordinary user reads of `outer/ws/d/f` where these are closed, with `text` once that is written, and the modes afterwards. */
async function reading(closed: readonly string[], ...text: readonly string[]) {
  const folder = await tempDir();
  await chmod(folder, 0o755);
  const outer = join(folder, 'outer');
  await mkdir(join(outer, 'ws', 'd'), { recursive: true });
  await writeFile(join(outer, 'ws', 'd', 'f'), 'what it holds');
  const paths = ['.', 'ws', 'ws/d', 'ws/d/f'].map((path) => join(outer, path));
  for (const path of paths) await chown(path, NOBODY, NOBODY);
  for (const path of closed) await chmod(join(outer, path), 0);
  const node = ['--experimental-transform-types', '--no-warnings', MAIN, outer, ...text];
  const { stdout } = await promisify(execFile)(process.execPath, node, {
    cwd: '/',
    uid: NOBODY,
    gid: NOBODY,
  });
  const modes = await Promise.all(closed.map(async (path) => (await stat(join(outer, path))).mode & 0o777));
  return { stdout, modes };
}

// Modes keep root from nothing.
test.runIf(isRoot)('what the user has closed in the workspace is read, and closed again', async () => {
  expect(await reading(['ws/d/f', 'ws/d', 'ws'])).toEqual({ stdout: 'what it holds\n', modes: [0, 0, 0] });
});

test.runIf(isRoot)(
  'what is closed there is looked at before it is replaced, and the new file has its own mode',
  async () => {
    const { stdout, modes } = await reading(['ws/d/f', 'ws/d'], 'new');
    expect(stdout).toBe('new\n');
    expect(modes).toEqual([0o200, 0]);
  },
);

test.runIf(isRoot)('what is closed above the workspace stays closed', async () => {
  const { stdout, modes } = await reading(['.']);
  expect(stdout).toContain('permission');
  expect(modes).toEqual([0]);
});
