import { mkdir, readdir, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ChangeTracker } from '../../../extension/core/checkpoints/change-tracker.ts';
import type { FileTree } from '../../../extension/core/ports/file-tree.ts';
import { BlobFiles } from '../../../extension/node/blobs/blob-files.ts';
import { nodeFileTree } from '../../../extension/node/fs/node-file-tree.ts';
import { NodeWorkspaceScan } from '../../../extension/node/scan/node-workspace-scan.ts';
import { noiseOf } from '../../support/random-from.ts';
import { tempDir } from '../../support/temp-dir.ts';

const SIGNAL = new AbortController().signal;

async function place() {
  const folder = await tempDir();
  const root = join(folder, 'workspace');
  await mkdir(root);
  const scan = new NodeWorkspaceScan({ roots: () => [root], home: join(folder, 'home') });
  const blobs = join(folder, 'blobs');
  const tracker = new ChangeTracker({ files: nodeFileTree, blobs: new BlobFiles(blobs), scan });
  return { root, blobs, scan, tracker };
}

test.each(['a command', 'a call'])(
  'of a file of 1 MB that %s and the user edit in turn, little more than the edits is kept',
  async (by) => {
    const { root, blobs, scan, tracker } = await place();
    const path = join(root, 'file');
    const bytes = noiseOf(1_000_000);
    const edit = (at: number) => {
      noiseOf(200, at).copy(bytes, at * 7_919);
      return writeFile(path, bytes);
    };
    for (let round = 0; round < 30; round += 1) {
      await edit(2 * round);
      const call = await tracker.begin(by === 'a command' ? 'workspace' : [path], { signal: SIGNAL });
      await edit(2 * round + 1);
      expect((await call.changes()).changes).toHaveLength(1);
    }
    const sizes = await Promise.all((await readdir(blobs)).map((name) => stat(join(blobs, name))));
    expect(sizes).toHaveLength(60);
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(1_100_000);
    await scan.close();
  },
);

/** The files, with a count of what is asked of them. */
function counted() {
  const asked = { look: 0, read: 0 };
  const files: FileTree = {
    ...nodeFileTree,
    look: (path) => {
      asked.look += 1;
      return nodeFileTree.look(path);
    },
    read: (path, maxBytes) => {
      asked.read += 1;
      return nodeFileTree.read(path, maxBytes);
    },
  };
  return { asked, files };
}

async function filesIn(folder: string, count: number): Promise<void> {
  await mkdir(folder);
  for (let index = 0; index < count; index += 1) await writeFile(join(folder, `f${index}`), `${index}`);
}

test('a directory with more in it than is kept costs a short look when it is moved, and is said not to be undone', async () => {
  const { root, blobs } = await place();
  const { asked, files } = counted();
  const tracker = new ChangeTracker({ files, blobs: new BlobFiles(blobs) });
  const [from, to] = [join(root, 'from'), join(root, 'to')];
  await filesIn(from, 5_000);
  const call = await tracker.begin([from, to], { signal: SIGNAL });
  await rename(from, to);
  expect(await call.changes()).toEqual({
    changes: [],
    uncovered: `Changes to ${from} as a whole cannot be undone because it contains more than 2000 files or 100 MB.`,
  });
  expect(asked.look).toBeLessThan(2_100);
  expect(asked.read).toBe(0);
  await expect(readdir(blobs)).rejects.toThrow('ENOENT');
});

test('a directory with few files of many bytes is too large too', async () => {
  const { root, tracker } = await place();
  const [from, to] = [join(root, 'from'), join(root, 'to')];
  await filesIn(from, 3);
  for (const name of ['f0', 'f1', 'f2']) await truncate(join(from, name), 40_000_000);
  const call = await tracker.begin([from, to], { signal: SIGNAL });
  await rename(from, to);
  expect((await call.changes()).uncovered).toMatch(/more than .* 100 MB/);
});

test.runIf(process.platform === 'linux')(
  'a name that is not UTF-8 is told, and nothing is said of where it lies',
  async () => {
    const { root, scan, tracker } = await place();
    const [from, to] = [join(root, 'from'), join(root, 'to')];
    await filesIn(from, 1);
    await writeFile(Buffer.concat([Buffer.from(`${from}/na`), Buffer.of(0xef), Buffer.from('f')]), 'x');
    const command = await tracker.begin('workspace', { signal: SIGNAL });
    await writeFile(join(from, 'new'), 'x');
    const told = await command.changes();
    expect(told.changes).toMatchObject([{ path: join(from, 'new') }]);
    expect(told.uncovered).toBe(
      'Harness did not check files with names that are not UTF-8 in these folders (1): from.',
    );
    const call = await tracker.begin([from, to], { signal: SIGNAL });
    await rename(from, to);
    expect(await call.changes()).toEqual({
      changes: [],
      uncovered: `Changes to ${from} as a whole cannot be undone because it contains names that are not UTF-8.`,
    });
    await scan.close();
  },
);

test('keeping what a call is about to change ends when it is stopped', async () => {
  const { root, blobs } = await place();
  const from = join(root, 'from');
  await filesIn(from, 500);
  const { asked, files } = counted();
  const stop = new AbortController();
  const read: FileTree['read'] = (path, maxBytes) => {
    if (asked.read === 10) stop.abort();
    return files.read(path, maxBytes);
  };
  const tracker = new ChangeTracker({ files: { ...files, read }, blobs: new BlobFiles(blobs) });
  await expect(tracker.begin([from, join(root, 'to')], { signal: stop.signal })).rejects.toThrow('aborted');
  expect(asked.read).toBe(11);
});
