import type { FileState } from '../../protocol/events.ts';
import type { FileTree, Replaced } from '../ports/file-tree.ts';
import { WorkspaceError } from '../ports/workspace.ts';
import { readContent } from './current-state.ts';

/**
 * Rejects with `changed` where the path no longer holds `replaced`. Also rejects where the path cannot be
 * read.
 */
export async function requireReplaced(
  files: Pick<FileTree, 'look' | 'read'>,
  path: string,
  replaced: Replaced | undefined,
): Promise<void> {
  if (!replaced || (replaced.kind === 'file' && replaced.hash === '')) return;
  const { state } = await readContent(files, path);
  if (!holds(state, replaced))
    throw new WorkspaceError('changed', path, `changed meanwhile: ${path}; it was left alone`);
}

function holds(state: FileState, replaced: Replaced): boolean {
  if (replaced.kind === 'file') return state.kind === 'file' && state.hash === replaced.hash;
  if (replaced.kind === 'link') return state.kind === 'link' && state.target === replaced.target;
  return state.kind === replaced.kind;
}
