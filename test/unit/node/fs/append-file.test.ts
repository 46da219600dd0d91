import { execFileSync } from 'node:child_process';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppendFile } from '../../../../extension/node/fs/append-file.ts';
import { failFiles, failure, watchFiles } from '../../../support/files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

function smallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    onTestFinished(() => void execFileSync('umount', [folder]));
    return true;
  } catch {
    // Not root, or mounts are not allowed here.
    return false;
  }
}

async function appendFileIn(folder: string, shared: boolean) {
  const path = join(folder, 'file');
  const file = new AppendFile(path, { shared });
  onTestFinished(() => file.close().catch(() => undefined));
  return { path, file, content: () => readFile(path, 'utf8') };
}

test('a full disk takes nothing of what others appended to a shared file, and the next line stands alone', async (context) => {
  const folder = await tempDir();
  if (!smallDisk(folder)) return context.skip('no small file system can be mounted here');
  const { path, file, content } = await appendFileIn(folder, true);
  await file.append('a1\n');
  await appendFile(path, 'b1\n');
  await expect(file.append(`${'x'.repeat(100_000)}\n`)).rejects.toThrow('ENOSPC');
  expect((await content()).startsWith('a1\nb1\n')).toBe(true);
});

test('what a full disk did not take is held, and written first when there is space again', async (context) => {
  const folder = await tempDir();
  if (!smallDisk(folder)) return context.skip('no small file system can be mounted here');
  const { file, content } = await appendFileIn(folder, false);
  const filler = join(folder, 'filler');
  await file.append('1\n');
  await writeFile(filler, 'x'.repeat(60_000)).catch(() => undefined);
  const large = `${'2'.repeat(10_000)}\n`;
  await expect(file.append(large)).rejects.toThrow('ENOSPC');
  await expect(file.append('3\n')).rejects.toThrow('ENOSPC');
  expect(await content(), 'no half of a line is left').toBe('1\n');
  expect(file.problem).toMatchObject({ code: 'ENOSPC' });
  await rm(filler);
  await file.sync();
  expect(file.problem).toBeUndefined();
  expect(await content()).toBe(`1\n${large}3\n`);
});

test.each([
  { shared: false, lasting: false },
  { shared: false, lasting: true },
  { shared: true, lasting: false },
  { shared: true, lasting: true },
])('whichever operation fails ($shared, $lasting), each text is there once and in order', async (kind) => {
  const expected = ['line 1', 'line 2', 'line 3', 'line 4', 'line 5'];
  for (let nth = 1; ; nth += 1) {
    const folder = await tempDir();
    const { file, content } = await appendFileIn(folder, kind.shared);
    const faults = failFiles(folder, nth, kind.lasting);
    const failed: string[] = [];
    for (const line of expected) {
      const added = file.append(`${line}\n`).then(() => (line === 'line 3' ? file.sync() : undefined));
      await added.catch(() => failed.push(line));
    }
    faults.mend();
    await file.sync();
    await file.close();
    faults.stop();
    const lines = (await content()).split('\n').filter((line) => expected.includes(line));
    expect(lines, `${faults.first} (${nth}) fails`).toEqual(expected);
    if (!kind.shared) expect(await content(), faults.first).toBe(`${expected.join('\n')}\n`);
    if (faults.first === '') return;
    expect(failed.length, `${faults.first} is told`).toBeGreaterThan(kind.lasting ? 0 : -1);
  }
});

test('appends that are made at once are on the disk with one sync', async () => {
  const folder = await tempDir();
  const { file, content } = await appendFileIn(folder, false);
  let syncs = 0;
  const stop = watchFiles(folder, (operation, perform) => {
    if (operation.name === 'handle.datasync') syncs += 1;
    return perform();
  });
  await file.append('0\n');
  const numbers = Array.from({ length: 50 }, (_, index) => String(index + 1));
  await Promise.all(numbers.flatMap((number) => [file.append(`${number}\n`), file.sync()]));
  stop();
  expect(syncs).toBe(1);
  expect(await content()).toBe(['0', ...numbers].map((number) => `${number}\n`).join(''));
});

test('what a failed sync may have lost is written again', async () => {
  const folder = await tempDir();
  const { path, file, content } = await appendFileIn(folder, false);
  let fails = false;
  const stop = watchFiles(folder, async (operation, perform) => {
    if (operation.name !== 'handle.datasync' || !fails) return perform();
    fails = false;
    // As Linux does it: what could not be written is dropped, and the next sync succeeds.
    await writeFile(path, '1\n\0\0');
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  });
  await file.append('1\n');
  await file.sync();
  await file.append('2\n');
  fails = true;
  await expect(file.sync()).rejects.toThrow('EIO');
  await file.append('3\n');
  await file.sync();
  stop();
  expect(await content()).toBe('1\n2\n3\n');
});

test('what is given while a sync fails comes behind what that may have lost', async () => {
  const folder = await tempDir();
  const { file, content } = await appendFileIn(folder, false);
  let later: Promise<void> | undefined;
  const stop = watchFiles(folder, (operation, perform) => {
    if (operation.name !== 'handle.datasync' || later) return perform();
    later = file.append('2\n');
    throw failure(operation.name, operation.path);
  });
  await file.append('1\n');
  await expect(file.sync()).rejects.toThrow('EIO');
  await later;
  await file.sync();
  stop();
  expect(await content()).toBe('1\n2\n');
});

test('what is kept in memory until it is on the disk is bounded: after a megabyte it is put there unasked', async () => {
  const folder = await tempDir();
  const { file } = await appendFileIn(folder, false);
  let syncs = 0;
  const stop = watchFiles(folder, ({ name }, perform) => {
    if (name === 'handle.datasync') syncs += 1;
    return perform();
  });
  const line = `${'x'.repeat(99_999)}\n`;
  for (let count = 0; count < 10; count += 1) await file.append(line);
  expect(syncs).toBe(0);
  for (let count = 0; count < 12; count += 1) await file.append(line);
  stop();
  expect(syncs).toBe(2);
});

test('a line that another process left in part does not swallow the next one of a shared file', async () => {
  const { path, file, content } = await appendFileIn(await tempDir(), true);
  await writeFile(path, 'a1\nb');
  await file.append('a2\n');
  expect(await content()).toBe('a1\nb\na2\n');
});

test('a shared file that is removed begins anew with the next line', async () => {
  const { path, file, content } = await appendFileIn(await tempDir(), true);
  await file.append('a1\n');
  await rm(path);
  await file.append('a2\n');
  await file.append('a3\n');
  expect(await content()).toBe('a2\na3\n');
});

test('what comes after it was closed is not written: another process may have it by then', async () => {
  const { file, content } = await appendFileIn(await tempDir(), false);
  await file.append('1\n');
  await file.close();
  await expect(file.append('2\n')).rejects.toThrow('was closed');
  expect(await content()).toBe('1\n');
});
