import { lstat, mkdir, readdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { KnownFile } from '../../../../extension/core/recording/live/known-files.ts';
import { layOut } from '../../../../extension/node/recording/scratch-workspace.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const bytes = Buffer.from('#!/bin/sh\n');
const file = (mode = 0o755): KnownFile => ({ kind: 'file', bytes, mode });
const link = (target: string): KnownFile => ({ kind: 'link', target });

/** A scratch folder that is deep enough for everything that leads out of it to be seen. */
async function place() {
  const outside = await tempDir();
  const scratch = join(outside, 'a/b/scratch');
  await mkdir(scratch, { recursive: true });
  const roots = [{ name: 'repo', path: '/w/repo' }];
  return {
    outside,
    scratch,
    lay: (files: Record<string, KnownFile>) =>
      layOut(scratch, roots, { files: new Map(Object.entries(files)), commands: new Set() }),
    beside: async () => [...(await readdir(outside)), ...(await readdir(join(outside, 'a/b')))],
  };
}

test('what a recording names lies in the scratch folder, however it is written', async () => {
  const { outside, scratch, lay, beside } = await place();
  const up = '../'.repeat(30);
  await lay({
    [`/x/${up}${outside}/file`]: file(),
    [`/w/repo/${up}${outside}/other`]: file(),
    [`/x/${up}${outside}/folder`]: { kind: 'directory' },
    [`/y/${up}${outside}/link`]: link('/etc'),
  });
  expect(await beside()).toEqual(['a', 'scratch']);
  expect((await readdir(join(scratch, 'elsewhere', outside))).sort()).toEqual([
    'file',
    'folder',
    'link',
    'other',
  ]);
});

test('no link leads out of it, and nothing is laid out behind one', async () => {
  const { outside, scratch, lay, beside } = await place();
  const { missing } = await lay({
    '/w/repo/a/b/c/d': link('/'),
    '/w/repo/a/b/c/d/e': link(`${'../'.repeat(3)}x/y`),
    '/w/repo/a/b/c/d/f/g': link('/h'),
    '/w/repo/up': link(`${'../'.repeat(30)}${outside}`),
  });
  expect(missing).toEqual(['/w/repo/a/b/c/d/e', '/w/repo/a/b/c/d/f/g']);
  expect(await beside()).toEqual(['a', 'scratch']);
  const up = join(scratch, '0/repo/up');
  expect(join(dirname(up), await readlink(up))).toBe(join(scratch, 'elsewhere', outside));
  expect(await realpath(dirname(up))).toBe(join(scratch, '0/repo'));
});

test('nothing is laid out in a repository’s own folder, or as one', async () => {
  const { scratch, lay } = await place();
  const { files, missing } = await lay({
    '/w/repo/.git': { kind: 'directory' },
    '/w/repo/.git/config': file(),
    '/w/repo/deep/.GIT': file(),
    '/w/repo/other/.git': link('../plain'),
    '/w/repo/plain/config': file(),
    '/w/repo/.gitignore': file(),
  });
  expect([...files].sort()).toEqual(['/w/repo/.gitignore', '/w/repo/plain/config']);
  expect([...missing].sort()).toEqual([
    '/w/repo/.git',
    '/w/repo/.git/config',
    '/w/repo/deep/.GIT',
    '/w/repo/other/.git',
  ]);
  expect((await readdir(join(scratch, '0/repo'))).sort()).toEqual(['.gitignore', 'plain']);
});

test('nobody gets more rights by a file', async () => {
  const { scratch, lay } = await place();
  await lay({ '/w/repo/tool': file(0o6755) });
  expect((await lstat(join(scratch, '0/repo/tool'))).mode & 0o7777).toBe(0o755);
});

test('a path that is not absolute is refused before anything is laid out', async () => {
  const { scratch, lay } = await place();
  await expect(lay({ '/w/repo/a': file(), 'b/../../c': file() })).rejects.toThrow(
    '“b/../../c” is no path of a file',
  );
  expect(await readdir(scratch)).toEqual([]);
});

test('a command that names what a root’s link leads to is moved too', async () => {
  const outside = await tempDir();
  const [scratch, real, linked] = ['scratch', 'real', 'link'].map((name) => join(outside, name));
  await Promise.all([scratch, real].map((path) => mkdir(path ?? '')));
  await symlink(real ?? '', linked ?? '');
  const commands = new Set([`ls ${real}/a`, `cd ${outside}`]);
  const laid = await layOut(scratch ?? '', [{ name: 'link', path: linked ?? '' }], {
    files: new Map(),
    commands,
  });
  expect([...laid.commands.values()]).toEqual([`ls ${scratch}/0/link/a`, `cd ${outside}`]);
  expect(laid.reaching).toEqual([`cd ${outside}`]);
  expect(laid.here).toEqual([linked]);
});
