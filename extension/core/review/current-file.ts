import type { FileState } from '../../protocol/events.ts';
import { readContent, UNLIKE_ANY } from '../checkpoints/current-state.ts';
import { ABSENT_STATE } from '../checkpoints/file-state.ts';
import type { FileTree } from '../ports/file-tree.ts';

/** Reads the current file; anything but a file, a link or a directory is absent. Stores no content. */
export async function readCurrentFile(files: FileTree, path: string): Promise<CurrentFile> {
  const { state, bytes } = await readContent(files, path);
  return { state: state === UNLIKE_ANY ? ABSENT_STATE : state, bytes };
}

/** The current content of a path, as the user sees it: an editor's unsaved text counts. */
export interface CurrentFile {
  readonly state: FileState;
  /** Present for a file that is not too large to read. */
  readonly bytes?: Uint8Array | undefined;
}

export type ReadCurrentFile = (path: string) => Promise<CurrentFile>;
