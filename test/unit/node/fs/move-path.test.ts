import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { moveAcross, movePath } from '../../../../extension/node/fs/move-path.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const LONG_AGO = new Date('2001-02-03T04:05:06.789Z');

/** A directory with everything in it that a copy could lose. */
async function richTree(path: string): Promise<void> {
  await mkdir(join(path, 'empty'), { recursive: true });
  await mkdir(join(path, 'sub'));
  await writeFile(join(path, 'sub/run.sh'), 'echo');
  await chmod(join(path, 'sub/run.sh'), 0o4755);
  await symlink('sub/run.sh', join(path, 'link'));
  await symlink('nowhere', join(path, 'broken'));
  await chmod(join(path, 'sub'), 0o711);
  for (const name of ['sub/run.sh', 'sub', 'empty', '.']) await utimes(join(path, name), LONG_AGO, LONG_AGO);
}

async function expectRichTree(path: string): Promise<void> {
  expect((await readdir(path)).sort()).toEqual(['broken', 'empty', 'link', 'sub']);
  expect(await readFile(join(path, 'sub/run.sh'), 'utf8')).toBe('echo');
  expect(await readlink(join(path, 'link'))).toBe('sub/run.sh');
  expect(await readlink(join(path, 'broken'))).toBe('nowhere');
  expect((await stat(join(path, 'sub/run.sh'))).mode & 0o7777).toBe(0o4755);
  expect((await stat(join(path, 'sub'))).mode & 0o7777).toBe(0o711);
  for (const name of ['sub/run.sh', 'sub', 'empty', '.']) {
    expect((await stat(join(path, name))).mtime).toEqual(LONG_AGO);
  }
}

describe('to another file system', () => {
  it('copies everything with modes and times, then deletes', async () => {
    const folder = await tempDir();
    await richTree(join(folder, 'a'));
    await moveAcross(join(folder, 'a'), join(folder, 'b'));
    await expectRichTree(join(folder, 'b'));
    expect(await readdir(folder)).toEqual(['b']);
  });

  it('leaves the source and no half copy when it fails', async () => {
    const folder = await tempDir();
    await richTree(join(folder, 'a'));
    execFileSync('mkfifo', [join(folder, 'a/pipe')]);
    await expect(moveAcross(join(folder, 'a'), join(folder, 'b'))).rejects.toMatchObject({
      reason: 'not-regular',
    });
    expect(await readdir(folder)).toEqual(['a']);
    expect(await readdir(join(folder, 'a'))).toHaveLength(5);
  });

  it('does so when a rename is not possible', async (context) => {
    const here = await tempDir();
    const there = await otherFileSystem(here);
    if (there === undefined) return context.skip('there is no second file system');
    await richTree(join(here, 'a'));
    await writeFile(join(there, 'file'), 'overwritten');
    await mkdir(join(there, 'empty'));
    await writeFile(join(here, 'file'), 'new');
    await symlink('/etc/hostname', join(here, 'link'));
    await movePath(join(here, 'a'), join(there, 'empty'));
    await movePath(join(here, 'file'), join(there, 'file'));
    await movePath(join(here, 'link'), join(there, 'deep/link'));
    await expectRichTree(join(there, 'empty'));
    expect(await readFile(join(there, 'file'), 'utf8')).toBe('new');
    expect(await readlink(join(there, 'deep/link'))).toBe('/etc/hostname');
    expect(await readdir(here)).toEqual([]);
    expect((await readdir(there)).sort()).toEqual(['deep', 'empty', 'file']);
  });
});

async function otherFileSystem(here: string): Promise<string | undefined> {
  const shared = await stat('/dev/shm').catch(() => undefined);
  if (!shared || shared.dev === (await stat(here)).dev) return undefined;
  const path = await mkdtemp('/dev/shm/harness-test-');
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

it('takes the old name away where both are names of one file', async () => {
  const folder = await tempDir();
  await writeFile(join(folder, 'a'), 'x');
  await link(join(folder, 'a'), join(folder, 'b'));
  await movePath(join(folder, 'a'), join(folder, 'b'));
  expect(await readdir(folder)).toEqual(['b']);
});

it('resolves the links of the parents and not of the names', async () => {
  const folder = await tempDir();
  await mkdir(join(folder, 'd'));
  await symlink('d', join(folder, 'to-d'));
  await writeFile(join(folder, 'target'), 'x');
  await symlink('target', join(folder, 'link'));
  await movePath(join(folder, 'link'), join(folder, 'to-d/link'));
  expect((await lstat(join(folder, 'd/link'))).isSymbolicLink()).toBe(true);
  await expect(movePath(join(folder, 'd'), join(folder, 'to-d/inside'))).rejects.toThrow(
    'directory into itself',
  );
});

it('makes no directories when there is nothing to move', async () => {
  const folder = await tempDir();
  await expect(movePath(join(folder, 'none'), join(folder, 'd/e'))).rejects.toMatchObject({
    reason: 'not-found',
  });
  expect(await readdir(folder)).toEqual([]);
});
