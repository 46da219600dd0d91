import { ABSENT_STATE } from '../files/file-states.ts';
import { contentAt, UNLIKE_ANY } from '../files/look-at.ts';
import type { FileTree } from '../ports/file-tree.ts';
import type { PresentFile } from './session-review.ts';

/** What lies at `path` now; nothing where that is neither file, link nor directory. Nothing is kept of it. */
export async function presentFile(files: FileTree, path: string): Promise<PresentFile> {
  const { state, bytes } = await contentAt(files, path);
  return { state: state === UNLIKE_ANY ? ABSENT_STATE : state, bytes };
}
