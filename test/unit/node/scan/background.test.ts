// What a command changes after its call has ended, while it goes on in the background.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ChangeTracker } from '../../../../extension/core/checkpoints/change-tracker.ts';
import type { ScannedChanges } from '../../../../extension/core/ports/workspace-scan.ts';
import { BlobFiles } from '../../../../extension/node/blobs/blob-files.ts';
import { nodeFileTree } from '../../../../extension/node/fs/node-file-tree.ts';
import { NodeWorkspaceScan } from '../../../../extension/node/scan/node-workspace-scan.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const { signal } = new AbortController();

async function place() {
  const folder = await tempDir();
  const root = join(folder, 'workspace');
  await mkdir(root);
  const options = { roots: () => [root], home: join(folder, 'home') };
  const scan = new NodeWorkspaceScan(options);
  onTestFinished(() => scan.close());
  const at = (name: string) => join(root, name);
  /** Names, each with whether it is in doubt. */
  const told = (
    changes: readonly { path: string; isShared?: boolean | undefined; shared?: true | undefined }[],
  ) =>
    Object.fromEntries(
      changes.map(({ path, isShared, shared }) => [
        path.slice(root.length + 1),
        (isShared ?? shared) === true,
      ]),
    );
  return { folder, root, scan, options, at, told };
}

/** A process that runs each line that it is sent, and goes on. */
async function worker(root: string) {
  const shell = spawn('sh', [], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => ended(shell));
  return async (command: string) => {
    shell.stdin.write(`${command}; echo done\n`);
    await once(shell.stdout, 'data');
  };
}

async function ended(shell: ChildProcess): Promise<void> {
  shell.stdin?.end();
  if (shell.exitCode === null) await once(shell, 'exit');
}

test('what a command changes after its call is that call’s, in doubt, and told once', async () => {
  const { root, scan, at, told } = await place();
  await writeFile(at('old'), 'old');
  const run = await worker(root);
  const command = await scan.begin({ session: 's', call: 'background' }, signal);
  await run('echo 1 > first');
  expect(told((await command.soFar()).changes)).toEqual({ first: false });
  await run('echo 2 > second; echo new > old');
  const { changes, uncovered } = await command.soFar();
  expect(told(changes)).toEqual({ old: true, second: true });
  expect(String(await changes[0]?.before.bytes?.())).toBe('old');
  expect(uncovered).toBe(
    'These paths (2) changed while the command ran in the background. Another program may have changed them: old, second.',
  );
  await run('echo 3 > third');
  expect(told((await command.end()).changes)).toEqual({ third: true });
  await run('echo 4 > fourth');
  const next = await scan.begin({ session: 's', call: 'next' }, signal);
  expect((await next.end()).changes).toEqual([]);
});

test('what another command of the session changes meanwhile is that command’s alone', async () => {
  const { root, scan, at, told } = await place();
  const run = await worker(root);
  const background = await scan.begin({ session: 's', call: 'background' }, signal);
  expect((await background.soFar()).changes).toEqual([]);
  await run('echo 1 > both; echo 1 > server');
  const other = await scan.begin({ session: 's', call: 'other' }, signal);
  await writeFile(at('both'), 'two');
  await writeFile(at('made'), 'made');
  const { changes, uncovered } = await other.end();
  expect([told(changes), uncovered]).toEqual([{ both: false, made: false }, undefined]);
  expect(String(await changes[0]?.before.bytes?.())).toBe('1\n');
  const later = await background.end();
  expect(told(later.changes)).toEqual({ both: true, server: true });
  expect(await contentsOf(later)).toEqual(['1\n', '1\n']);
});

function contentsOf({ changes }: ScannedChanges): Promise<string[]> {
  return Promise.all(changes.map(async ({ after }) => String(await after.bytes?.())));
}

test('what a command of another session changes meanwhile is in doubt between the two', async () => {
  const { scan, at, told } = await place();
  const background = await scan.begin({ session: 's', call: 'background' }, signal);
  await background.soFar();
  const other = await scan.begin({ session: 'other', call: 'other' }, signal);
  await writeFile(at('made'), 'made');
  expect(told((await other.end()).changes)).toEqual({ made: true });
  expect(told((await background.end()).changes)).toEqual({ made: true });
});

test('a later process finds what a background command has changed since its last report', async () => {
  const { root, scan, options, told } = await place();
  const run = await worker(root);
  const command = { session: 's', call: 'background' };
  const background = await scan.begin(command, signal);
  await run('echo 1 > first');
  await background.soFar();
  await run('echo 2 > second');
  const scans = join(options.home, 'scans');
  const record = async () => {
    const [name = ''] = await readdir(scans).catch(() => []);
    return readFile(join(scans, name), 'utf8').catch(() => '');
  };
  await expect.poll(record).toContain('"background"');
  const next = new NodeWorkspaceScan(options);
  onTestFinished(() => next.close());
  expect(told((await next.resume(command))?.changes ?? [])).toEqual({ second: true });
});

test('the log has what the tracker of a background command reports', async () => {
  const { folder, root, scan, told } = await place();
  const tracker = new ChangeTracker({
    files: nodeFileTree,
    blobs: new BlobFiles(join(folder, 'blobs')),
    scan,
  });
  const run = await worker(root);
  const call = await tracker.begin('workspace', { call: 'background', signal });
  await run('echo 1 > first');
  expect(told((await call.soFar?.())?.changes ?? [])).toEqual({ first: false });
  await run('echo 2 > first');
  const { changes } = await call.changes();
  expect(told(changes)).toEqual({ first: true });
  expect(changes[0]?.before).toMatchObject({ kind: 'file', size: 2 });
  expect(await readFile(join(root, 'first'), 'utf8')).toBe('2\n');
});
