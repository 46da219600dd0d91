import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FileHistory } from '../../../../extension/core/checkpoints/file-history.ts';
import { restoreIntoCopy } from '../../../../extension/core/checkpoints/restore/copy-to-worktree.ts';
import { MemoryBlobStore } from '../../../../extension/core/ports/testing/memory-blob-store.ts';
import { guardedFiles } from '../../../../extension/node/fs/guarded-files.ts';
import { nodeFileTree } from '../../../../extension/node/fs/node-file-tree.ts';
import { addWorktree, repositoryOf } from '../../../../extension/node/git/git-worktree.ts';
import type { FileState } from '../../../../extension/protocol/events.ts';
import { storedEvents } from '../../../support/panel-events.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const run = promisify(execFile);
const ABSENT: FileState = { kind: 'absent' };

/** A repository with a commit, changes that are not in it, and programs that must not be run. */
async function repository(): Promise<{ root: string; git(...args: string[]): Promise<string>; ran: string }> {
  const folder = await tempDir();
  const root = join(folder, 'repo');
  const ran = join(folder, 'ran');
  await mkdir(join(root, 'sub'), { recursive: true });
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'core.hooksPath=/dev/null'];
    return (await run('git', [...who, ...args], { cwd: root })).stdout;
  };
  await git('init', '--quiet');
  await writeFile(join(root, 'a.txt'), 'committed\n');
  await writeFile(join(root, 'sub', 'b.txt'), 'committed\n');
  await writeFile(join(root, '.gitattributes'), '*.txt filter=evil\n');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'One');
  const program = join(folder, 'program');
  await writeFile(program, `#!/bin/sh\necho "$0 $@" >> '${ran}'\ncat\n`);
  await chmod(program, 0o755);
  await git('config', 'filter.evil.smudge', program);
  await git('config', 'core.fsmonitor', program);
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
    await writeFile(join(root, '.git', 'hooks', hook), `#!/bin/sh\necho ${hook} >> '${ran}'\n`, {
      mode: 0o755,
    });
  await writeFile(join(root, 'a.txt'), 'staged\n');
  await run('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=', 'add', 'a.txt'], {
    cwd: root,
  });
  await writeFile(join(root, 'a.txt'), 'changed\n');
  return { root, git, ran };
}

test('a worktree is made beside the repository; index and files are not touched, and nothing of it is run', async () => {
  const { root, git, ran } = await repository();
  const before = await readFile(join(root, '.git', 'index'));
  const { path, folder, repository: top } = await addWorktree('git', join(root, 'sub'));
  expect(top).toBe(root);
  expect(path).toBe(`${root}-fork`);
  expect(folder).toBe(join(path, 'sub'));
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('committed\n');
  expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('committed\n');
  expect(await readFile(join(root, '.git', 'index'))).toEqual(before);
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('changed\n');
  expect(await git('worktree', 'list')).toContain('(detached HEAD)');
  await expect(access(ran), 'a hook or a filter was run').rejects.toThrow('ENOENT');
  expect((await addWorktree('git', root)).path).toBe(`${root}-fork-2`);
});

test.each(['', '.', 'two words', 'a.b'])('a filter with the name “%s” is not run', async (name) => {
  const { root, git, ran } = await repository();
  await git('config', `filter.${name}.smudge`, `touch '${ran}'; cat`);
  await writeFile(join(root, '.gitattributes'), `*.txt filter=${name}\n`);
  await git('-c', 'core.fsmonitor=', 'add', '.gitattributes');
  await git('-c', 'core.fsmonitor=', 'commit', '--quiet', '-m', 'Filtered');
  await addWorktree('git', root);
  await expect(access(ran), 'a filter was run').rejects.toThrow('ENOENT');
});

test('a filter that cannot be switched off is refused, and a remote that is a program is not asked', async () => {
  const { root, git, ran } = await repository();
  await git('config', 'filter.a=b.smudge', `touch '${ran}'; cat`);
  await writeFile(join(root, '.gitattributes'), '*.txt filter=a=b\n');
  await expect(addWorktree('git', root)).rejects.toThrow('filter.a=b');
  const clone = `${root}-clone`;
  await git('config', '--unset', 'filter.a=b.smudge');
  await git('config', 'uploadpack.allowFilter', 'true');
  await git('clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${root}`, clone);
  for (const [name = '', value = ''] of [
    ['protocol.ext.allow', 'always'],
    ['remote.origin.url', `ext::sh -c touch% ${ran}`],
  ])
    await run('git', ['config', name, value], { cwd: clone });
  await expect(addWorktree('git', clone)).rejects.toThrow('Git could not create a worktree:');
  await expect(access(ran), 'a filter or a remote was run').rejects.toThrow('ENOENT');
});

test('submodules are named, and a worktree of one lies beside the repository it is in', async () => {
  const { root, git } = await repository();
  const inner = await repository();
  await git('config', '--unset', 'core.fsmonitor');
  await git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', inner.root, 'deep/module');
  await git('commit', '--quiet', '-m', 'Two');
  const whole = await addWorktree('git', root);
  expect(whole.submodules).toEqual(['deep/module']);
  expect(await readdir(join(whole.path, 'deep/module'))).toEqual([]);
  const part = await addWorktree('git', join(root, 'deep/module/sub'));
  expect(part).toMatchObject({ path: join(root, '../module-fork'), submodules: [] });
  expect(await readFile(join(part.folder, 'b.txt'), 'utf8')).toBe('committed\n');
  expect(await git('status', '--porcelain', '--untracked-files=all')).not.toContain('fork');
});

test('where the submodules cannot be told, no worktree is left over', async () => {
  const { root } = await repository();
  const broken = `${root}-git`;
  await writeFile(broken, '#!/bin/sh\nfor word; do [ "$word" = ls-tree ] && exit 1; done\nexec git "$@"\n', {
    mode: 0o755,
  });
  await expect(addWorktree(broken, root)).rejects.toThrow('Git could not create a worktree:');
  await expect(access(`${root}-fork`)).rejects.toThrow('ENOENT');
});

test('without a repository or a commit there is a clear word', async () => {
  const folder = await tempDir();
  expect(await repositoryOf('git', folder)).toBeUndefined();
  await expect(addWorktree('git', folder)).rejects.toThrow('is not in a Git repository');
  await run('git', ['init', '--quiet'], { cwd: folder });
  await expect(addWorktree('git', folder)).rejects.toThrow('Git could not create a worktree:');
});

/** A history of changes of these paths, one an event. */
async function historyOf(
  changes: readonly (readonly [path: string, before: FileState, after: FileState])[],
): Promise<FileHistory> {
  return FileHistory.of(
    storedEvents(
      changes.map(([path, before, after]) => ({
        type: 'files_changed',
        id: 'c',
        by: 'tool',
        changes: [{ path, before, after }],
      })),
    ),
  );
}

test('in the copy, what the session has ever changed is as it was then', async () => {
  const folder = await tempDir();
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  const blobs = new MemoryBlobStore();
  const file = async (text: string, mode = 0o644): Promise<FileState> => ({
    kind: 'file',
    hash: await blobs.put(Buffer.from(text)),
    size: text.length,
    mode,
  });
  await mkdir(join(to, 'gone'), { recursive: true });
  await writeFile(join(to, 'gone', 'old.txt'), 'committed');
  await writeFile(join(to, 'later.txt'), 'committed');
  const history = await historyOf([
    [join(from, 'new', 'a.sh'), ABSENT, await file('#!/bin/sh\n', 0o755)],
    [join(from, 'gone', 'old.txt'), await file('committed'), ABSENT],
    [join(from, 'gone'), { kind: 'directory', mode: 0o755 }, ABSENT],
    [join(from, 'link'), ABSENT, { kind: 'link', target: 'new/a.sh' }],
    [join(from, 'later.txt'), await file('edited by the user before'), await file('after')],
    ['/elsewhere/x', ABSENT, await file('x')],
    [join(from, 'module', 'x'), ABSENT, await file('x')],
  ]);
  const copied = [
    { folder: join(from, 'module'), whyNot: 'it is empty' },
    { folder: from, at: to },
  ];
  const problems = await restoreIntoCopy(history, 4, copied, {
    files: guardedFiles(nodeFileTree, () => [to]),
    blobs,
  });
  expect([...problems]).toEqual([
    ['/elsewhere/x', 'it is not in the copied folder'],
    [join(from, 'module', 'x'), 'it is empty'],
  ]);
  expect(await nodeFileTree.look(join(to, 'module'))).toEqual({ kind: 'absent' });
  expect(await nodeFileTree.look(join(to, 'new', 'a.sh'))).toMatchObject({ kind: 'file', mode: 0o755 });
  expect(await nodeFileTree.look(join(to, 'gone'))).toEqual({ kind: 'absent' });
  expect(await nodeFileTree.look(join(to, 'link'))).toEqual({ kind: 'link', target: 'new/a.sh' });
  expect(await readFile(join(to, 'later.txt'), 'utf8')).toBe('edited by the user before');
});

test('nothing is written through a link that the copy has, and what is not kept is told', async () => {
  const folder = await tempDir();
  const [from, to, outside] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'outside')];
  await Promise.all([mkdir(to), mkdir(outside)]);
  await symlink(outside, join(to, 'sub'));
  const blobs = new MemoryBlobStore();
  const state: FileState = { kind: 'file', hash: await blobs.put(Buffer.from('x')), size: 1, mode: 0o644 };
  const unkept: FileState = { kind: 'file', hash: '', size: 99, mode: 0o644, unkept: true };
  const history = await historyOf([
    [join(from, 'sub', 'x'), ABSENT, state],
    [join(from, 'large'), ABSENT, unkept],
  ]);
  const problems = await restoreIntoCopy(history, 9, [{ folder: from, at: to }], {
    files: guardedFiles(nodeFileTree, () => [to]),
    blobs,
  });
  expect(problems.get(join(from, 'sub', 'x'))).toContain('symbolic link');
  expect(problems.has(join(from, 'large'))).toBe(true);
  expect(await nodeFileTree.names(outside)).toEqual([]);
});
