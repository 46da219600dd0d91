import type { FileState } from '../../protocol/events.ts';
import { readContent, UNLIKE_ANY } from '../checkpoints/current-state.ts';
import { ABSENT_STATE } from '../checkpoints/file-state.ts';
import type { FileTree } from '../ports/file-tree.ts';

/** What lies at `path` now; nothing where that is neither file, link nor directory. Nothing is kept of it. */
export async function readCurrentFile(files: FileTree, path: string): Promise<CurrentFile> {
  const { state, bytes } = await readContent(files, path);
  return { state: state === UNLIKE_ANY ? ABSENT_STATE : state, bytes };
}

/** What is at a path now, as the user sees it. */
export interface CurrentFile {
  readonly state: FileState;
  /** Of a file that is not too large to be read. */
  readonly bytes?: Uint8Array | undefined;
}

export type ReadCurrentFile = (path: string) => Promise<CurrentFile>;
