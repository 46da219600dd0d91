import { lstat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Change, WorkspaceError } from '../core/ports/workspace.ts';
import { requireRegular, versionAt } from './read-file.ts';
import { syncDirectory } from './rename-into-place.ts';

/** Rejects with `changed` where the file is not of the expected version, and for what is no regular file. */
export async function deleteFile({ path, expect }: Extract<Change, { kind: 'delete' }>): Promise<void> {
  requireRegular(await lstat(path), path);
  if ((await versionAt(path)) !== expect) {
    throw new WorkspaceError('changed', path, `file changed meanwhile: ${path}; nothing was deleted`);
  }
  await unlink(path);
  await syncDirectory(dirname(path));
}
