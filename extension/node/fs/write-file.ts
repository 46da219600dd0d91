import { constants, type Stats } from 'node:fs';
import { access, lstat, open, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ABSENT, type Change, WorkspaceError } from '../../core/ports/workspace.ts';
import { ifPresent } from './file-errors.ts';
import { keepOwner } from './keep-owner.ts';
import { makeParents, removeMade } from './make-folders.ts';
import { requireRegular, versionAt } from './read-file.ts';
import { realPath } from './real-path.ts';
import { renameIntoPlace, syncDirectory } from './rename-into-place.ts';
import { discard, temporaryBeside } from './temporary-files.ts';

const NEW_FILE_MODE = 0o644;

type Write = Extract<Change, { kind: 'write' }>;

/**
 * Replaces the file in one step: writes a temporary file beside it, then renames that. Follows links, and
 * keeps the mode and the owner. Rejects with `changed` if the file does not have the expected version.
 */
export async function writeFileWhole(change: Write): Promise<void> {
  const path = await realPath(change.path);
  const old = await writableStats(path);
  const made = await makeParents(path);
  const temporary = temporaryBeside(path);
  try {
    await writeTemporary(temporary, change.bytes, old);
    await requireVersion(path, change.expect);
    await renameIntoPlace(temporary, path);
  } catch (error) {
    await discard(temporary);
    await removeMade(made);
    throw error;
  }
}

/** Rejects for a read-only file, although a rename needs only the directory's permission. */
async function writableStats(path: string): Promise<Stats | undefined> {
  const old = await ifPresent(stat(path));
  if (!old) return undefined;
  requireRegular(old, path);
  await access(path, constants.W_OK);
  return old;
}

async function writeTemporary(path: string, bytes: Uint8Array, old: Stats | undefined): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    if (old) await keepOwner((user, group) => handle.chown(user, group), old);
    await handle.chmod(old ? old.mode & 0o7777 : NEW_FILE_MODE);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function requireVersion(path: string, expected: string): Promise<void> {
  const stats = await ifPresent(stat(path));
  const version = stats ? await versionAt(path) : ABSENT;
  if (version === expected) return;
  throw new WorkspaceError('changed', path, `file changed meanwhile: ${path}; nothing was written`);
}

/**
 * Rejects with `changed` if the file does not have the expected version. Also rejects if the path is not a
 * regular file.
 */
export async function deleteFile({ path, expect }: Extract<Change, { kind: 'delete' }>): Promise<void> {
  requireRegular(await lstat(path), path);
  if ((await versionAt(path)) !== expect) {
    throw new WorkspaceError('changed', path, `file changed meanwhile: ${path}; nothing was deleted`);
  }
  await unlink(path);
  await syncDirectory(dirname(path));
}
