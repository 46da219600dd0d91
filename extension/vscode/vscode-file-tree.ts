import type { Entry, FileTree } from '../core/ports/file-tree.ts';
import { ABSENT, type Workspace } from '../core/ports/workspace.ts';
import { versionOf } from '../core/tools/version.ts';
import { nodeFileTree } from '../node/node-file-tree.ts';
import { openDocument } from './open-documents.ts';

/** Nothing larger is written through an editor. Bytes. */
const MAX_READ = 100_000_000;

/**
 * The files of this window: text that an editor holds is read from it and changed in it, so that nothing unsaved is lost
 * and the user can undo it there.
 */
export function createFileTree(workspace: Workspace): FileTree {
  const read = async (path: string, maxBytes: number) => workspace.read(path, maxBytes);
  const write = async (path: string, bytes: Uint8Array, entry: Entry) => {
    const expect = entry.kind === 'absent' ? ABSENT : (await read(path, MAX_READ)).version;
    const version = await workspace.apply({ kind: 'write', path, bytes, expect });
    return version === versionOf(bytes);
  };
  return {
    ...nodeFileTree,
    look: async (path) => {
      const entry = await nodeFileTree.look(path);
      if (entry.kind !== 'file' || !(await openDocument(path))?.isDirty) return entry;
      return { ...entry, isUnsaved: true };
    },
    read: async (path, maxBytes) => (await read(path, maxBytes)).bytes,
    write: async (path, bytes, mode) => {
      const entry = await nodeFileTree.look(path);
      const isWhole = isForEditor(entry) && (await write(path, bytes, entry));
      // VS Code may format what it saves, but these are to be the bytes of then.
      if (!isWhole) return nodeFileTree.write(path, bytes, mode);
      if (entry.kind === 'absent' || (entry.kind === 'file' && entry.mode !== mode))
        await nodeFileTree.setMode(path, mode);
    },
    remove: async (path) => {
      const entry = await nodeFileTree.look(path);
      if (!isForEditor(entry)) return nodeFileTree.remove(path);
      const { version } = await read(path, MAX_READ);
      await workspace.apply({ kind: 'delete', path, expect: version });
    },
  };
}

function isForEditor(entry: Entry): boolean {
  return entry.kind === 'absent' || entry.kind === 'file';
}
