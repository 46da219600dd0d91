import { execFileSync } from 'node:child_process';
import { access, chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findGit, gitStatusWith } from '../../../extension/node/git/git-status.ts';
import { folderWith } from '../../support/folder-with.ts';
import { tempDir } from '../../support/temp-dir.ts';

const statusOf = gitStatusWith(() => findGit([]));

async function repositoryWith(files: Readonly<Record<string, string>>) {
  const folder = await folderWith(files);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '--quiet');
  git('config', 'user.name', 'Somebody');
  git('config', 'user.email', 'somebody@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first', '--allow-empty');
  return { folder, git };
}

test('modified, added, deleted and untracked files are listed with odd names', async () => {
  const { folder, git } = await repositoryWith({ 'a.txt': 'a', 'gone.txt': '', 'src/b.txt': 'b' });
  await writeFile(join(folder, 'a.txt'), 'changed');
  await writeFile(join(folder, 'new "1"\n.txt'), '');
  await writeFile(join(folder, 'src', 'added.txt'), '');
  git('add', 'src/added.txt');
  git('rm', '--quiet', 'gone.txt');
  expect(await statusOf(folder)).toEqual([
    { state: ' M', path: 'a.txt' },
    { state: 'D ', path: 'gone.txt' },
    { state: 'A ', path: 'src/added.txt' },
    { state: '??', path: 'new "1"\n.txt' },
  ]);
  expect(await statusOf(join(folder, 'src'))).toEqual([{ state: 'A ', path: 'added.txt' }]);
});

test('a clean repository has no changes; no repository and no Git have no answer', async () => {
  const { folder } = await repositoryWith({ 'a.txt': 'a' });
  expect(await statusOf(folder)).toEqual([]);
  expect(await statusOf(await tempDir())).toBeUndefined();
  expect(await gitStatusWith(async () => undefined)(folder)).toBeUndefined();
});

test('nothing runs that the repository configures', async () => {
  const { folder, git } = await repositoryWith({ 'a.txt': 'a' });
  const trap = join(folder, '.git', 'trap');
  const trace = join(folder, '.git', 'trace');
  await writeFile(trap, `#!/bin/sh\ntouch '${trace}'\ncat\n`);
  await chmod(trap, 0o755);
  git('config', 'core.fsmonitor', trap);
  git('config', 'filter.trap.clean', trap);
  git('config', 'filter.trap.process', trap);
  await mkdir(join(folder, '.git', 'info'), { recursive: true });
  await writeFile(join(folder, '.git', 'info', 'attributes'), '* filter=trap\n');
  await writeFile(join(folder, 'a.txt'), 'b');
  expect(await statusOf(folder)).toEqual([{ state: ' M', path: 'a.txt' }]);
  await expect(access(trace)).rejects.toThrow();
});

test('a Git of the workspace is not found', async () => {
  const folder = await tempDir();
  await writeFile(join(folder, 'git'), '#!/bin/sh\n', { mode: 0o755 });
  const before = process.env.PATH;
  process.env.PATH = `${folder}:${before}`;
  try {
    expect(await findGit([folder])).not.toContain(folder);
    expect(await findGit([])).toBe(join(folder, 'git'));
  } finally {
    process.env.PATH = before;
  }
});
