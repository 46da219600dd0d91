// What planning costs where many files are rejected together and some of them cannot be.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileTree } from '../../../extension/core/ports/file-tree.ts';
import { MemoryBlobStore } from '../../../extension/core/ports/testing/memory-blob-store.ts';
import { fileReview, type Rejected } from '../../../extension/core/review/file-review.ts';
import { sideOf } from '../../../extension/core/review/path-state.ts';
import { planRejections } from '../../../extension/core/review/plan-rejection.ts';
import { nodeFileTree } from '../../../extension/node/fs/node-file-tree.ts';
import type { FileState } from '../../../extension/protocol/events.ts';
import { tempDir } from '../../support/temp-dir.ts';

const UNKEPT: FileState = { kind: 'file', hash: '', size: 6_000_000, mode: 0o644, unkept: true };

/** Calls have changed files, each second one of which was not kept. `looks`: how often the disk was asked for one. */
async function planHalfKept(count: number) {
  const root = await tempDir();
  const blobs = new MemoryBlobStore();
  const work = { turns: 0, looks: 0 };
  const stateOf = async (text: string): Promise<FileState> => {
    const hash = await blobs.put(Buffer.from(text));
    return { kind: 'file', hash, size: text.length, mode: 0o644 };
  };
  const rejected: Rejected[] = [];
  for (let index = 0; index < count; index += 1) {
    const path = join(root, `f${index}`);
    await writeFile(path, `now ${index}`, { mode: 0o644 });
    const base = sideOf(index % 2 === 0 ? UNKEPT : await stateOf(`base ${index}`), undefined, undefined);
    const now = sideOf(await stateOf(`now ${index}`), undefined, undefined);
    rejected.push({
      review: fileReview(path, { base, now, isMixed: false, from: undefined }, () => undefined),
    });
  }
  const clock = {
    yield: async () => {
      work.turns += 1;
    },
  };
  const files: FileTree = {
    ...nodeFileTree,
    look: (path) => {
      work.looks += 1;
      return nodeFileTree.look(path);
    },
  };
  const never = () => Promise.reject(new Error('it is planned only'));
  const ports = { files, blobs, clock, workspace: { apply: never }, record: never };
  const { planned, refused } = await planRejections({ ...ports, newId: () => '' }, rejected);
  return { planned: planned.length, refused: refused.size, ...work };
}

test('what it costs grows as the files do, and everything else has its turn meanwhile', async () => {
  const small = await planHalfKept(20);
  const large = await planHalfKept(200);
  expect(large).toMatchObject({ planned: 100, refused: 100 });
  expect(large.looks).toBe(10 * small.looks);
  expect(large.turns).toBeGreaterThanOrEqual(200);
});
