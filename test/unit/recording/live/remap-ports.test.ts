import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { KnownFiles } from '../../../../extension/core/recording/live/known-files.ts';
import { layOut, scratchPorts } from '../../../../extension/node/recording/scratch-workspace.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const ROOTS = [{ name: 'repo', path: '/w/repo' }];
const bytes = (text: string) => new TextEncoder().encode(text);

async function scratchWith(files: KnownFiles['files'], roots = ROOTS, ...commands: string[]) {
  const folder = await tempDir();
  const [scratch, outside] = [join(folder, 'scratch'), join(folder, 'outside')];
  await Promise.all([mkdir(scratch), mkdir(outside)]);
  await writeFile(join(outside, 'kept.txt'), 'kept');
  const { files: laidOut, ...laid } = await layOut(scratch, roots, {
    files,
    commands: new Set(['pwd', ...commands]),
  });
  const { ports, close } = await scratchPorts(scratch, roots, laid);
  onTestFinished(close);
  return { ...laid, ...ports, laidOut, copy: join(scratch, '0/repo'), scratch, outside };
}

test('what is known is laid out, with modes and links, and what is not is named', async () => {
  const { copy, laidOut, missing } = await scratchWith(
    new Map([
      ['/w/repo/dir', { kind: 'directory' as const }],
      ['/w/repo/dir/run.sh', { kind: 'file' as const, mode: 0o755, bytes: bytes('echo') }],
      ['/w/repo/absent', { kind: 'absent' as const }],
      ['/w/repo/a-link', { kind: 'link' as const, target: 'dir/run.sh' }],
      ['/w/repo/large', { kind: 'file' as const, mode: 0o644 }],
    ]),
  );
  expect({ laidOut, missing }).toEqual({
    laidOut: ['/w/repo/dir/run.sh', '/w/repo/a-link'],
    missing: ['/w/repo/large'],
  });
  expect(await readdir(copy, { recursive: true })).toEqual(
    expect.arrayContaining(['a-link', 'dir', join('dir', 'run.sh')]),
  );
  expect(await readFile(join(copy, 'a-link'), 'utf8')).toBe('echo');
});

test('neither files nor folders are reached by a link that leads out', async () => {
  const { copy, outside, workspace, files } = await scratchWith(new Map());
  await symlink(outside, join(copy, 'out'));
  const write = { kind: 'write', bytes: bytes('x'), expect: 'absent' } as const;
  const out = expect.objectContaining({ reason: 'permission-denied' });
  await expect(workspace.apply({ ...write, path: '/w/repo/out/new.txt' })).rejects.toEqual(out);
  await expect(workspace.read('/w/repo/out/kept.txt', 100)).rejects.toEqual(out);
  await expect(files?.write('/w/repo/out/kept.txt', bytes('x'), 0o644)).rejects.toEqual(out);
  await expect(files?.remove('/w/repo/out/kept.txt')).rejects.toEqual(out);
  await files?.remove('/w/repo/out');
  expect(await readFile(join(outside, 'kept.txt'), 'utf8')).toBe('kept');
  expect(await readdir(outside)).toEqual(['kept.txt']);
});

test('no tool makes a repository, or changes what is one’s own, by whatever name', async () => {
  const { copy, workspace, files } = await scratchWith(new Map());
  await mkdir(join(copy, '.git'));
  await mkdir(join(copy, 'plain'));
  await symlink('.git', join(copy, 'alias'));
  const write = { kind: 'write', bytes: bytes('x'), expect: 'absent' } as const;
  const own = expect.objectContaining({ reason: 'permission-denied' });
  for (const path of ['/w/repo/.git/config', '/w/repo/alias/config', '/w/repo/plain/.Git'])
    await expect(workspace.apply({ ...write, path }), path).rejects.toEqual(own);
  const move = { kind: 'move', source: '/w/repo/plain', destination: '/w/repo/sub/.git' } as const;
  await expect(workspace.apply(move)).rejects.toEqual(own);
  await expect(files?.write('/w/repo/alias/config', bytes('x'), 0o644)).rejects.toEqual(own);
  await expect(files?.link('/w/repo/plain/.git', 'x')).rejects.toEqual(own);
  expect(await readdir(join(copy, '.git'))).toEqual([]);
});

test('no link is made that leads out from where it really lies, and no command runs behind one', async () => {
  const { copy, scratch, outside, files, shell } = await scratchWith(new Map());
  await mkdir(join(copy, 'a/b/c'), { recursive: true });
  await symlink(scratch, join(copy, 'a/b/c/up'));
  const out = expect.objectContaining({ reason: 'permission-denied' });
  await expect(files?.link('/w/repo/a/b/c/up/link', '../../../../../x')).rejects.toEqual(out);
  await files?.link('/w/repo/a/b/c/link', '../../../../../x');
  await symlink(outside, join(copy, 'out'));
  const command = { command: 'pwd', cwd: '/w/repo/out', timeoutMs: 10_000, maxBytes: 1_000 };
  await expect(shell.run(command, () => {}, new AbortController().signal)).rejects.toEqual(out);
});

test('a command runs in the copy, speaks of the recorded folder, and none runs that was not recorded', async () => {
  const { shell } = await scratchWith(new Map());
  const told: string[] = [];
  const run = (command: string) =>
    shell.run(
      { command, cwd: '/w/repo', timeoutMs: 10_000, maxBytes: 1_000 },
      (_stream, text) => told.push(text),
      new AbortController().signal,
    );
  expect(await run('pwd')).toMatchObject({ stdout: '/w/repo\n', exitCode: 0 });
  expect(told.join('')).toBe('/w/repo\n');
  await expect(run('id')).rejects.toThrow('was not run when the session was recorded');
});

test('what is shown of a command is what runs, also where the name of a root is a part of its language', async () => {
  const roots = [{ name: 'repo', path: '/w/"/repo' }];
  const command = 'echo "/w/"/repo" ; echo ran ; #"';
  const { shell, commands } = await scratchWith(new Map(), roots, command);
  const shown = commands.get(command) ?? '';
  expect(shown, 'what stood in quotes stands there no more').toMatch(
    /^echo "[^"]+\/0\/repo" ; echo ran ; #"$/,
  );
  const run = { command, cwd: '/w/"/repo', timeoutMs: 10_000, maxBytes: 1_000 };
  const { stdout } = await shell.run(run, () => {}, new AbortController().signal);
  expect(stdout).toBe('/w/"/repo\nran\n');
});

test('what goes wrong is told with the recorded path', async () => {
  const { workspace, scratch } = await scratchWith(new Map());
  const error = await workspace.read('/w/repo/none', 10).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ reason: 'not-found', path: '/w/repo/none' });
  expect(String(error)).not.toContain(scratch);
});

test('nothing gets a bit that lends its owner’s rights', async () => {
  const { files, copy } = await scratchWith(new Map());
  await files?.write('/w/repo/a', bytes('x'), 0o6755);
  await files?.write('/w/repo/b', bytes('x'), 0o644);
  await files?.setMode('/w/repo/b', 0o4711);
  await files?.makeDirectory('/w/repo/c', 0o2750);
  const modes = await Promise.all(['a', 'b', 'c'].map(async (name) => (await stat(join(copy, name))).mode));
  expect(modes.map((mode) => mode & 0o7777)).toEqual([0o755, 0o711, 0o750]);
});
