import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepState } from '../../../extension/core/checkpoints/file-state.ts';
import type { FileTree } from '../../../extension/core/ports/file-tree.ts';
import { MemoryBlobStore } from '../../../extension/core/ports/testing/memory-blob-store.ts';
import { WorkspaceError } from '../../../extension/core/ports/workspace.ts';
import { endInterruptedRestores } from '../../../extension/core/session/interrupted-restores.ts';
import { nodeFileTree } from '../../../extension/node/fs/node-file-tree.ts';
import type { FileState, SessionEvent } from '../../../extension/protocol/events.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A restore that should have made files `old …` of `agent …`, and was killed before it did anything. */
async function killed(names: readonly string[]) {
  const root = await tempDir();
  const ports = { files: nodeFileTree, blobs: new MemoryBlobStore() };
  const stateOf = async (name: string, text: string) => {
    await writeFile(join(root, name), text);
    return (await keepState(ports, join(root, name))) as FileState; // it is a file
  };
  const files: { path: string; state: FileState; becomes: FileState }[] = [];
  for (const name of names) {
    const becomes = await stateOf(name, `old ${name}`);
    files.push({ path: join(root, name), becomes, state: await stateOf(name, `agent ${name}`) });
  }
  const intent = { type: 'checkpoint', id: 'r', files, restores: { to: 0 }, seq: 1, timestamp: 0 };
  const end = async (more: readonly unknown[] = [], tree: Partial<FileTree> = {}) => {
    // That of very many files stands in several events.
    const past = [files, more].map((each) => ({ ...intent, files: each })) as unknown as SessionEvent[];
    const surroundings = { roots: [{ name: 'root', path: root }] };
    return endInterruptedRestores(past, { ...ports, files: { ...nodeFileTree, ...tree } }, surroundings);
  };
  return { at: (name: string) => join(root, name), end };
}

test('what the user does behind a killed restore is not taken for a part of it', async () => {
  const { at, end } = await killed(['a', 'b', 'c']);
  await rm(at('b'));
  await writeFile(at('c'), 'agent a');
  const drafts = await end();
  expect(drafts.map(({ type }) => type)).toEqual(['restored', 'notice']);
  expect(drafts.at(-1)).not.toHaveProperty('toModel');
});

test('what a killed restore had cleared away, and the directory it had begun, are parts of it', async () => {
  const { at, end } = await killed(['a']);
  const directory = { kind: 'directory', mode: 0o700 };
  const link = { kind: 'link', target: 'x' };
  await mkdir(at('begun'), { mode: 0o755 });
  const [changed] = await end([
    { path: at('begun'), state: link, becomes: directory },
    { path: at('cleared'), state: link, becomes: directory },
  ]);
  expect(changed).toMatchObject({
    type: 'files_changed',
    changes: [
      { path: at('begun'), after: { kind: 'directory' } },
      { path: at('cleared'), after: { kind: 'absent' } },
    ],
  });
});

test('what cannot be read any more is told to be unknown', async () => {
  const { at, end } = await killed(['a', 'b']);
  await writeFile(at('b'), 'old b');
  const read = async (path: string, most: number) => {
    if (path === at('a')) throw new WorkspaceError('failed', path, 'the disk is broken');
    return nodeFileTree.read(path, most);
  };
  const [changed, unknown] = await end([], { read });
  expect(changed).toMatchObject({ changes: [{ path: at('b') }] });
  expect(unknown).toMatchObject({ changes: [], uncovered: expect.stringContaining('the disk is broken') });
});
