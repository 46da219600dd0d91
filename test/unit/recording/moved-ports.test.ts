import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layOut, scratchPorts } from '../../../extension/node/scratch-workspace.ts';
import { tempDir } from '../../support/temp-dir.ts';

const ROOTS = [{ name: 'repo', path: '/w/repo' }];
const bytes = (text: string) => new TextEncoder().encode(text);

async function scratchWith(files: Parameters<typeof layOut>[2]) {
  const folder = await tempDir();
  const [scratch, outside] = [join(folder, 'scratch'), join(folder, 'outside')];
  await Promise.all([mkdir(scratch), mkdir(outside)]);
  await writeFile(join(outside, 'kept.txt'), 'kept');
  const laid = await layOut(scratch, ROOTS, files);
  const ports = await scratchPorts(scratch, ROOTS, laid.paths, new Set(['pwd']));
  return { ...laid, ...ports, copy: join(scratch, '0/repo'), scratch, outside };
}

test('what is known is laid out, with modes and links, and what is not is named', async () => {
  const { copy, written, unknown } = await scratchWith(
    new Map([
      ['/w/repo/dir', { kind: 'directory' as const }],
      ['/w/repo/dir/run.sh', { kind: 'file' as const, mode: 0o755, bytes: bytes('echo') }],
      ['/w/repo/absent', { kind: 'absent' as const }],
      ['/w/repo/a-link', { kind: 'link' as const, target: 'dir/run.sh' }],
      ['/w/repo/large', { kind: 'file' as const, mode: 0o644 }],
    ]),
  );
  expect({ written, unknown }).toEqual({ written: 2, unknown: ['/w/repo/large'] });
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

test('what goes wrong is told with the recorded path', async () => {
  const { workspace, scratch } = await scratchWith(new Map());
  const error = await workspace.read('/w/repo/none', 10).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ reason: 'not-found', path: '/w/repo/none' });
  expect(String(error)).not.toContain(scratch);
});
