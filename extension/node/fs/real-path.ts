import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { WorkspaceError } from '../../core/ports/workspace.ts';
import { errorCode, ifPresent } from './file-errors.ts';

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * The path without links: of the deepest ancestor that exists, then the rest as given. A link to what does not exist is
 * followed as well, since writing to it would create that.
 */
export async function realPath(path: string, links = 0): Promise<string> {
  const real = await ifPresent(realpath(path));
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  const entry = join(await realPath(parent, links), basename(path));
  const target = await linkTarget(entry);
  if (target === undefined) return entry;
  if (links >= MAX_LINKS) throw new WorkspaceError('failed', path, `too many symbolic links: ${path}`);
  return realPath(resolve(dirname(entry), target), links + 1);
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await ifPresent(readlink(path));
  } catch (error) {
    if (errorCode(error) === 'EINVAL') return undefined; // it is there and is no link
    throw error;
  }
}
