import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isInside } from '../../../../extension/core/base/paths.ts';
import {
  confirmPath,
  resolveEntry,
  resolveTarget,
} from '../../../../extension/core/tools/common/resolve-path.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { diskWorkspace } from '../call-tool.ts';

async function twoFolders() {
  const base = await tempDir();
  const inside = join(base, 'ws');
  const outside = join(base, 'ws-evil');
  await mkdir(inside);
  await mkdir(outside);
  return { base, inside, outside };
}

it('takes relative paths from the first folder and absolute ones as they are', async () => {
  const { inside, outside } = await twoFolders();
  const workspace = diskWorkspace(inside);
  const at = (given: string) => resolveTarget(workspace, given);
  expect(await at('a/./b')).toEqual({ given: 'a/./b', path: join(inside, 'a/b'), inWorkspace: true });
  expect(await at('.')).toMatchObject({ path: inside, inWorkspace: true });
  expect(await at(`${inside}/x/`)).toMatchObject({ path: join(inside, 'x'), inWorkspace: true });
  expect(await at('../ws-evil/x')).toMatchObject({ path: join(outside, 'x'), inWorkspace: false });
  expect(await at(outside)).toMatchObject({ inWorkspace: false });
  expect(await at('..hidden/..')).toMatchObject({ path: inside });
  expect(await at('..x')).toMatchObject({ path: join(inside, '..x'), inWorkspace: true });
});

it('lets a path begin with a folder name where there are several', async () => {
  const { inside, outside } = await twoFolders();
  const both = diskWorkspace(inside, outside);
  expect((await resolveTarget(both, 'ws-evil/a')).path).toBe(join(outside, 'a'));
  expect((await resolveTarget(both, './ws-evil')).path).toBe(outside);
  expect((await resolveTarget(both, 'src/a')).path).toBe(join(inside, 'src/a'));
  expect((await resolveTarget(diskWorkspace(inside), 'ws/a')).path).toBe(join(inside, 'ws/a'));
});

it('judges a path by where its links lead', async () => {
  const { inside, outside } = await twoFolders();
  const workspace = diskWorkspace(inside);
  await symlink(outside, join(inside, 'out'));
  await symlink(join(outside, 'not-yet'), join(inside, 'dangling'));
  await symlink('loop', join(inside, 'loop'));
  await symlink(inside, join(outside, 'back'));
  const at = (given: string) => resolveTarget(workspace, given);
  expect(await at('out/new/file')).toMatchObject({ path: join(outside, 'new/file'), inWorkspace: false });
  expect(await at('dangling')).toMatchObject({ path: join(outside, 'not-yet'), inWorkspace: false });
  expect(await at('dangling/below')).toMatchObject({ path: join(outside, 'not-yet/below') });
  expect(await at(join(outside, 'back/a'))).toMatchObject({ path: join(inside, 'a'), inWorkspace: true });
  await expect(at('loop')).rejects.toThrow('too many symbolic links');
});

it('compares with the real paths of the folders', async () => {
  const { base, inside } = await twoFolders();
  await symlink(inside, join(base, 'alias'));
  const workspace = diskWorkspace(join(base, 'alias'));
  expect(await resolveTarget(workspace, 'a')).toMatchObject({ path: join(inside, 'a'), inWorkspace: true });
});

it.skipIf(process.platform !== 'linux')('sees through /proc', async () => {
  const { inside } = await twoFolders();
  const target = await resolveTarget(diskWorkspace(inside), `/proc/self/root${inside}/a`);
  expect(target).toMatchObject({ path: join(inside, 'a'), inWorkspace: true });
  expect(await resolveTarget(diskWorkspace(inside), '/proc/self/root/etc/x')).toMatchObject({
    path: '/etc/x',
    inWorkspace: false,
  });
});

it('means the link itself for an entry', async () => {
  const { inside, outside } = await twoFolders();
  await symlink(outside, join(inside, 'out'));
  const workspace = diskWorkspace(inside);
  expect(await resolveEntry(workspace, 'out')).toMatchObject({
    path: join(inside, 'out'),
    inWorkspace: true,
  });
  expect(await resolveEntry(workspace, 'out/x')).toMatchObject({
    path: join(outside, 'x'),
    inWorkspace: false,
  });
});

it('refuses what is no path', async () => {
  const { inside } = await twoFolders();
  const at = (given: string) => resolveTarget(diskWorkspace(inside), given);
  await expect(at('')).rejects.toThrow('path is empty');
  await expect(at('a\0b')).rejects.toThrow('NUL');
  await expect(at('file:///etc/passwd')).rejects.toThrow('URI');
  await expect(at('~/x')).rejects.toThrow('~ is not expanded');
  await expect(at('a'.repeat(300))).rejects.toThrow('name too long');
});

it('needs an open folder for a relative path only', async () => {
  const workspace = diskWorkspace();
  await expect(resolveTarget(workspace, 'a')).rejects.toThrow('No folder is open');
  expect(await resolveTarget(workspace, '/etc/x')).toMatchObject({ path: '/etc/x', inWorkspace: false });
});

it('notices a link that was put into the way', async () => {
  const { inside, outside } = await twoFolders();
  const workspace = diskWorkspace(inside);
  const path = join(inside, 'a');
  await writeFile(join(outside, 'secret'), '');
  await confirmPath(workspace, path);
  await symlink(join(outside, 'secret'), path);
  await expect(confirmPath(workspace, path)).rejects.toThrow(
    `${path} now leads to ${join(outside, 'secret')}`,
  );
});

it('compares by segments', () => {
  expect(isInside('/a', '/a')).toBe(true);
  expect(isInside('/a', '/a/b')).toBe(true);
  expect(isInside('/a', '/ab')).toBe(false);
  expect(isInside('/a', '/')).toBe(false);
  expect(isInside('/', '/a')).toBe(true);
  expect(isInside('/a', '/a/..b')).toBe(true);
});
