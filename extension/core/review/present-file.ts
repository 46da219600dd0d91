import { MAX_KEPT, unkept } from '../files/file-states.ts';
import type { FileTree } from '../ports/file-tree.ts';
import { versionOf } from '../tools/version.ts';
import type { PresentFile } from './session-review.ts';

/** What lies at `path` now. Nothing is kept of it. */
export async function presentFile(files: FileTree, path: string): Promise<PresentFile> {
  const entry = await files.look(path);
  if (entry.kind === 'special') return { state: { kind: 'absent' } };
  if (entry.kind !== 'file') return { state: entry };
  if (entry.size > MAX_KEPT) return { state: unkept(entry) };
  const bytes = await files.read(path, MAX_KEPT);
  return { state: { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode: entry.mode }, bytes };
}
