import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../../core/base/paths.ts';
import { describeBlockedPath } from '../../core/checkpoints/current-state.ts';
import type { Beyond, FileTree, Replaced } from '../../core/ports/file-tree.ts';
import { WorkspaceError } from '../../core/ports/workspace.ts';
import { toWorkspaceError } from './file-errors.ts';
import { withOwnerAccess } from './with-permissions.ts';

/**
 * Wraps `files` so that nothing is read or changed through a link above a path. The paths of the `folders`
 * themselves may contain links. If modes of the user's own directories and files in the folders deny access,
 * grants it temporarily.
 */
export function guardedFiles(files: FileTree, folders: () => readonly string[]): FileTree {
  const reach = <Result>(path: string, work: () => Promise<Result>, isRead = false) =>
    withOwnerAccess(inFolders(path, folders(), isRead), async () => {
      requireDirect(path, folders());
      return work();
    });
  return {
    look: (path) =>
      withOwnerAccess(inFolders(path, folders()), async () => {
        const beyond = beyondOf(path, folders());
        return beyond ? { kind: 'absent', beyond } : files.look(path);
      }),
    names: (path) => reach(path, () => files.names(path), true),
    read: (path, maxBytes) => reach(path, () => files.read(path, maxBytes), true),
    write: (path, bytes, mode, replaced) =>
      reach(path, () => files.write(path, bytes, mode, replaced), isFile(replaced)),
    link: (path, target, replaced) => reach(path, () => files.link(path, target, replaced), isFile(replaced)),
    makeDirectory: (path, mode) => reach(path, () => files.makeDirectory(path, mode)),
    setMode: (path, mode) => reach(path, () => files.setMode(path, mode)),
    tidy: (path) => reach(join(path, 'left'), () => files.tidy(path)).catch(() => undefined),
    remove: (path, replaced) => reach(path, () => files.remove(path, replaced), isFile(replaced)),
  };
}

/** Whether the operation replaces a file, and so reads it first. */
function isFile(replaced: Replaced | undefined): boolean {
  return replaced?.kind === 'file';
}

/**
 * Returns the directories above `path` that are one of the folders or lie in one, outermost first. With
 * `itself`, also checks `path`.
 */
function inFolders(path: string, folders: readonly string[], itself = false): readonly string[] {
  const isIn = (each: string) => folders.some((folder) => isInside(folder, each));
  return [...above(path), ...(itself ? [path] : [])].filter(isIn);
}

function above(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...above(parent), parent];
}

function requireDirect(path: string, folders: readonly string[]): void {
  const beyond = beyondOf(path, folders);
  if (beyond) throw new WorkspaceError('not-directory', path, describeBlockedPath(beyond));
}

/**
 * Finds the outermost path above `path` that is not a directory. Returns undefined if there is none. Throws
 * `WorkspaceError`.
 */
function beyondOf(path: string, folders: readonly string[]): Beyond | undefined {
  try {
    for (const at of between(path, folders)) {
      const stats = lstatSync(at, { throwIfNoEntry: false });
      if (!stats) return undefined;
      if (stats.isSymbolicLink()) return { at, leadsTo: join(targetOf(at), relative(at, path)) };
      if (!stats.isDirectory()) return { at };
    }
    return undefined;
  } catch (error) {
    throw toWorkspaceError(error, path);
  }
}

/**
 * Returns the directories above `path` up to one of the folders, outermost first. None of them may be a link.
 */
function between(path: string, folders: readonly string[]): readonly string[] {
  const parent = dirname(path);
  const isEnd = parent === path || folders.includes(path) || folders.includes(parent);
  return isEnd ? [] : [...between(parent, folders), parent];
}

function targetOf(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return resolve(dirname(link), readlinkSync(link)); // the target does not exist
  }
}
