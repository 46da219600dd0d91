import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { versionOf } from '../../../extension/core/base/content-hash.ts';
import { ChangeTracker } from '../../../extension/core/checkpoints/change-tracker.ts';
import { MemoryBlobStore } from '../../../extension/core/ports/testing/memory-blob-store.ts';
import { nodeFileTree } from '../../../extension/node/fs/node-file-tree.ts';
import { tempDir } from '../../support/temp-dir.ts';

test('what an editor edits besides is a change of the call; what the call itself changes is told as it found it', async () => {
  const folder = await tempDir();
  const [from, to, other] = ['a.ts', 'b.ts', 'main.ts'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(from, "import './c';\n");
  await writeFile(other, "import './b';\n");
  const blobs = new MemoryBlobStore();
  const editors = {
    watch: (paths: ReadonlySet<string>) => {
      expect([...paths]).toEqual([from, to]);
      return async () => [
        { path: other, before: Buffer.from("import './a';\n") },
        { path: from, before: Buffer.from('not as the call found it') },
      ];
    },
  };
  const tracker = new ChangeTracker({ files: nodeFileTree, blobs, editors });
  const call = await tracker.begin([from, to], { signal: new AbortController().signal });
  await rename(from, to);
  const { changes } = await call.changes();
  expect(new Set(changes.map(({ path }) => path))).toEqual(new Set([from, to, other]));
  const stateOf = async (text: string) => ({
    kind: 'file',
    hash: versionOf(Buffer.from(text)),
    size: text.length,
    mode: ((await nodeFileTree.look(other)) as { mode: number }).mode,
  });
  expect(changes.find(({ path }) => path === other)).toEqual({
    path: other,
    before: await stateOf("import './a';\n"),
    after: await stateOf("import './b';\n"),
  });
  expect(changes.find(({ path }) => path === from)?.before).toEqual(await stateOf("import './c';\n"));
  expect(String(Buffer.from(await blobs.get(versionOf(Buffer.from("import './a';\n")))))).toBe(
    "import './a';\n",
  );
  expect(await readFile(other, 'utf8')).toBe("import './b';\n");
});
