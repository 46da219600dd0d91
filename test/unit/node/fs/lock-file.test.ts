import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLocked, LockedError, takeLock } from '../../../../extension/node/fs/lock-file.ts';
import { craftedLock, NOBODY, silence, writeForeignLock } from '../../../support/crafted-lock.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('one holder at a time, and nothing is left behind', async () => {
  const folder = await tempDir();
  const path = join(folder, 'lock');
  const lock = await takeLock(path);
  await expect(takeLock(path)).rejects.toThrow(new LockedError(`process ${process.pid}`));
  await lock.release();
  await (await takeLock(path)).release();
  expect(await readdir(folder)).toEqual([]);
});

test('whoever reads a lock finds its holder in it', async () => {
  const path = join(await tempDir(), 'lock');
  const child = fork(join(import.meta.dirname, '../../../support/hold-locks.ts'), [path, '300'], {
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
  ['of a dead process', { pid: NOBODY }],
  ['of a process whose id has another one now', { started: 'another start' }],
  ['of before the system was started', { started: '', since: 1 }],
  ['of an earlier start of this machine', { boot: 'earlier', pid: 1 }],
])('a lock %s is worth nothing, and the takeover of one neither', async (_what, changes) => {
  const path = join(await tempDir(), 'lock');
  const text = await craftedLock(changes);
  await Promise.all([writeFile(path, text), writeFile(`${path}.takeover`, text)]);
  expect(await isLocked(path)).toBe(false);
  await (await takeLock(path)).release();
});

test('a lock that is damaged is worth nothing', async () => {
  const path = join(await tempDir(), 'lock');
  await writeFile(path, '{"pid":');
  await (await takeLock(path)).release();
});

test('a lock whose holder may be alive is held, also where nothing is known of its start', async () => {
  const path = join(await tempDir(), 'lock');
  for (const since of [Date.now(), 0]) {
    await writeFile(path, await craftedLock({ started: '', since }));
    await expect(takeLock(path)).rejects.toBeInstanceOf(LockedError);
  }
});

test('whoever cannot be seen from here holds a lock for as long as they are heard of', async () => {
  const path = join(await tempDir(), 'lock');
  await writeForeignLock(path);
  await expect(takeLock(path)).rejects.toThrow(new LockedError(`process ${NOBODY} on elsewhere`));
  expect(await isLocked(path)).toBe(true);
  await silence(path);
  expect(await isLocked(path)).toBe(false);
  await (await takeLock(path)).release();
});

test('whoever rests is heard of again with the next beat, and learns from it when the lock was taken away', async () => {
  const path = join(await tempDir(), 'lock');
  const lock = await takeLock(path);
  expect(lock.isFresh).toBe(true);
  await silence(path);
  expect(lock.isFresh).toBe(false);
  expect(await lock.beat()).toBe(true);
  expect(lock.isFresh).toBe(true);
  await writeForeignLock(path);
  expect(lock.isFresh).toBe(false);
  expect(await lock.beat()).toBe(false);
  await lock.release();
  expect(JSON.parse(await readFile(path, 'utf8')), 'the lock of another one stays').toMatchObject({
    token: 'foreign',
  });
});

const NEW_SPACE = ['-p', '-f', '--mount-proc'];

test.skipIf(spawnSync('unshare', [...NEW_SPACE, 'true']).status !== 0)(
  'in a container this process cannot be seen, and holds its lock all the same',
  async () => {
    const path = join(await tempDir(), 'lock');
    const lock = await takeLock(path);
    const tryThere = () => {
      const script = join(import.meta.dirname, '../../../support/try-lock.ts');
      const node = [process.execPath, '--experimental-transform-types', '--no-warnings', script, path];
      const { stdout, stderr } = spawnSync('unshare', [...NEW_SPACE, ...node], { encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout;
    };
    expect(tryThere()).toBe(`process ${process.pid} on ${hostname()}`);
    expect(lock.isFresh).toBe(true);
    await silence(path);
    expect(tryThere()).toBe('');
    expect(await lock.beat()).toBe(false);
  },
);

test('a beat gives way to whoever is taking the lock away', async () => {
  const path = join(await tempDir(), 'lock');
  const lock = await takeLock(path);
  await silence(path);
  await writeForeignLock(`${path}.takeover`);
  expect(await lock.beat()).toBe(false);
  await rm(`${path}.takeover`);
  expect(await lock.beat()).toBe(true);
  await lock.release();
});

test('while another process takes a dead one’s lock over, the lock is held', async () => {
  const path = join(await tempDir(), 'lock');
  await writeFile(path, '');
  const guard = await takeLock(`${path}.takeover`);
  await expect(takeLock(path)).rejects.toBeInstanceOf(LockedError);
  await guard.release();
  await (await takeLock(path)).release();
});
