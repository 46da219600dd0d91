import { versionOf } from '../../core/base/content-hash.ts';
import { requireReplaced } from '../../core/checkpoints/require-unchanged.ts';
import type { FileTree, FileTreeEntry, Replaced } from '../../core/ports/file-tree.ts';
import { ABSENT, type Workspace } from '../../core/ports/workspace.ts';
import { nodeFileTree } from '../../node/fs/node-file-tree.ts';
import { openDocument } from './open-documents.ts';

/** Bytes. Harness does not write a larger file through an editor. */
const MAX_READ = 100_000_000;

/**
 * The files of this window. Reads and changes text that an editor has open in that editor, so that no unsaved
 * change is lost and the user can undo.
 */
export function createFileTree(workspace: Workspace): FileTree {
  const read = async (path: string, maxBytes: number) => workspace.read(path, maxBytes);
  const versionAt = async (path: string, entry: FileTreeEntry, replaced: Replaced | undefined) => {
    await requireReplaced(tree, path, replaced);
    if (replaced?.kind === 'file' && replaced.hash !== '') return replaced.hash;
    return entry.kind === 'absent' ? ABSENT : (await read(path, MAX_READ)).version;
  };
  const tree: FileTree = {
    ...nodeFileTree,
    look: async (path) => {
      const entry = await nodeFileTree.look(path);
      if (entry.kind !== 'file' || !(await openDocument(path))?.isDirty) return entry;
      return { ...entry, isUnsaved: true };
    },
    read: async (path, maxBytes) => (await read(path, maxBytes)).bytes,
    write: async (path, bytes, mode, replaced) => {
      const entry = await nodeFileTree.look(path);
      if (!isForEditor(entry)) return nodeFileTree.write(path, bytes, mode, replaced);
      const expect = await versionAt(path, entry, replaced);
      const version = await workspace.apply({ kind: 'write', path, bytes, expect });
      // VS Code may format the file when it saves, but a restore must write exactly these bytes.
      if (version !== versionOf(bytes))
        return nodeFileTree.write(path, bytes, mode, { kind: 'file', hash: version ?? '' });
      if (entry.kind === 'absent' || (entry.kind === 'file' && entry.mode !== mode))
        await nodeFileTree.setMode(path, mode);
    },
    link: async (path, target, replaced) => {
      await requireReplaced(tree, path, replaced);
      await nodeFileTree.link(path, target);
    },
    remove: async (path, replaced) => {
      const entry = await nodeFileTree.look(path);
      if (!isForEditor(entry)) return nodeFileTree.remove(path, replaced);
      const expect = await versionAt(path, entry, replaced);
      await workspace.apply({ kind: 'delete', path, expect });
    },
  };
  return tree;
}

function isForEditor(entry: FileTreeEntry): boolean {
  return entry.kind === 'absent' || entry.kind === 'file';
}
