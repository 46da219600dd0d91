import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LockedError, takeLock } from '../../../extension/node/process-lock.ts';
import { tempDir } from '../../support/temp-dir.ts';

test('one holder at a time, and nothing is left behind', async () => {
  const folder = await tempDir();
  const path = join(folder, 'lock');
  const release = await takeLock(path);
  await expect(takeLock(path)).rejects.toThrow(new LockedError(`process ${process.pid}`));
  await release();
  await (await takeLock(path))();
  expect(await readdir(folder)).toEqual([]);
});

test('whoever reads a lock finds its holder in it', async () => {
  const path = join(await tempDir(), 'lock');
  const child = fork(join(import.meta.dirname, '../../support/hold-locks.ts'), [path, '300'], {
    execArgv: ['--experimental-transform-types', '--no-warnings'],
  });
  const ended = once(child, 'exit');
  const texts = new Set<string>();
  while (child.exitCode === null) texts.add(await readFile(path, 'utf8').catch(() => 'none'));
  expect(await ended).toEqual([0, null]);
  texts.delete('none');
  expect(texts.size).toBeGreaterThan(0);
  for (const text of texts) expect(JSON.parse(text)).toMatchObject({ pid: child.pid });
});

test.each([
  ['of a dead process', JSON.stringify({ pid: 2 ** 22 + 1, started: '1', token: 'x' })],
  [
    'of a process whose id has another one now',
    JSON.stringify({ pid: process.pid, started: '1', since: Date.now() }),
  ],
  ['of before the system was started', JSON.stringify({ pid: process.pid, started: '', since: 1 })],
  ['that is damaged', '{"pid":'],
])('a lock %s is worth nothing, and the takeover of one neither', async (_what, text) => {
  const path = join(await tempDir(), 'lock');
  await writeFile(path, text);
  await writeFile(`${path}.takeover`, text);
  await (await takeLock(path))();
});

test('a lock whose holder may be alive is held, also where nothing is known of its start', async () => {
  const path = join(await tempDir(), 'lock');
  await writeFile(path, JSON.stringify({ pid: process.pid, started: '', since: Date.now() }));
  await expect(takeLock(path)).rejects.toBeInstanceOf(LockedError);
  await writeFile(path, JSON.stringify({ pid: process.pid }));
  await expect(takeLock(path)).rejects.toBeInstanceOf(LockedError);
});

test('while another process takes a dead one’s lock over, the lock is held', async () => {
  const path = join(await tempDir(), 'lock');
  await writeFile(path, '');
  const release = await takeLock(`${path}.takeover`);
  await expect(takeLock(path)).rejects.toBeInstanceOf(LockedError);
  await release();
  await (await takeLock(path))();
});
