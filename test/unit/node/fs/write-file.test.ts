import { execFileSync } from 'node:child_process';
import { chown, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { versionOf } from '../../../../extension/core/base/content-hash.ts';
import { ABSENT } from '../../../../extension/core/ports/workspace.ts';
import { toWorkspaceError } from '../../../../extension/node/fs/file-errors.ts';
import { writeFileWhole } from '../../../../extension/node/fs/write-file.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { diskWorkspace } from '../../tools/call-tool.ts';

const write = (path: string, content: string, expectedContent?: string) =>
  writeFileWhole({
    kind: 'write',
    path,
    bytes: Buffer.from(content),
    expect: expectedContent === undefined ? ABSENT : versionOf(Buffer.from(expectedContent)),
  });

it('writes only what replaces the expected content', async () => {
  const path = join(await tempDir(), 'a');
  await write(path, 'one');
  await write(path, 'two', 'one');
  await expect(write(path, 'three', 'one')).rejects.toMatchObject({ reason: 'changed' });
  await expect(write(path, 'three')).rejects.toMatchObject({ reason: 'changed' });
  await expect(write(`${path}-none`, 'x', 'one')).rejects.toMatchObject({ reason: 'changed' });
  expect(await readFile(path, 'utf8')).toBe('two');
});

it('is one of two whole contents to whoever reads meanwhile', async () => {
  const path = join(await tempDir(), 'a');
  const contents = ['a'.repeat(100_000), 'b'.repeat(50_000)] as const;
  await write(path, contents[0]);
  const writing = (async () => {
    for (let round = 0; round < 20; round++) {
      await write(path, contents[(round + 1) % 2] ?? '', contents[round % 2]);
    }
  })();
  for (let round = 0; round < 200; round++) expect(contents).toContain(await readFile(path, 'utf8'));
  await writing;
});

it('refuses what is no regular file, without opening it', async () => {
  const folder = await tempDir();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await mkdir(join(folder, 'directory'));
  await symlink('pipe', join(folder, 'link'));
  await expect(write(join(folder, 'pipe'), 'x')).rejects.toMatchObject({ reason: 'not-regular' });
  await expect(write(join(folder, 'link'), 'x')).rejects.toMatchObject({ reason: 'not-regular' });
  await expect(write(join(folder, 'directory'), 'x')).rejects.toMatchObject({ reason: 'is-directory' });
  await expect(write('/dev/null', 'x')).rejects.toMatchObject({ reason: 'not-regular' });
  expect((await readdir(folder)).sort()).toEqual(['directory', 'link', 'pipe']);
});

it('leaves another name of the file as it was', async () => {
  const folder = await tempDir();
  await write(join(folder, 'a'), 'old');
  await link(join(folder, 'a'), join(folder, 'b'));
  await write(join(folder, 'a'), 'new', 'old');
  expect(await readFile(join(folder, 'b'), 'utf8')).toBe('old');
});

it.skipIf(process.getuid?.() !== 0)('keeps the owner', async () => {
  const path = join(await tempDir(), 'a');
  await writeFile(path, 'old');
  await chown(path, 1234, 5678);
  await write(path, 'new', 'old');
  expect(await stat(path)).toMatchObject({ uid: 1234, gid: 5678 });
});

/** Undefined where this user may not mount anything. */
async function tinyDisk(): Promise<string | undefined> {
  const path = await tempDir();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', [path]));
  return path;
}

it('leaves the old file on a full disk', async (context) => {
  const disk = await tinyDisk();
  if (!disk) return context.skip('a full disk needs the right to mount one');
  const path = join(disk, 'a');
  await write(path, 'old');
  const workspace = diskWorkspace(disk);
  const change = {
    kind: 'write',
    path,
    bytes: Buffer.alloc(200_000),
    expect: versionOf(Buffer.from('old')),
  } as const;
  await expect(workspace.apply(change)).rejects.toMatchObject({ reason: 'no-space', path });
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(disk)).toEqual(['a']);
});

it.each([
  ['ENOENT', 'not-found', 'file not found: /p'],
  ['EISDIR', 'is-directory', 'path is a directory: /p'],
  ['ENOTDIR', 'not-directory', 'not a directory: /p'],
  ['EACCES', 'permission-denied', 'permission denied: /p'],
  ['EPERM', 'permission-denied', 'permission denied: /p'],
  ['EROFS', 'permission-denied', 'permission denied: /p (read-only file system)'],
  ['ENOSPC', 'no-space', 'disk full: could not write /p; nothing was changed'],
  ['ELOOP', 'failed', 'too many symbolic links: /p'],
  ['ENAMETOOLONG', 'failed', 'name too long: /p'],
  ['EIO', 'failed', 'EIO: i/o error: /p'],
])('tells of %s as %s', (code, reason, message) => {
  const error = Object.assign(new Error(`${code}: i/o error`), { code });
  expect(toWorkspaceError(error, '/p')).toMatchObject({ reason, message, path: '/p', cause: error });
});
