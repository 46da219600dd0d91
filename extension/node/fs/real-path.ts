import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { WorkspaceError } from '../../core/ports/workspace.ts';
import { errorCode, ifPresent } from './file-errors.ts';

/** The number of links that Linux follows. */
const MAX_LINKS = 40;

/**
 * Resolves the links of the deepest existing ancestor, and appends the rest as given. Also follows a link to
 * a missing path, because a write through the link would create that path.
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
    if (errorCode(error) === 'EINVAL') return undefined; // the path exists and is not a link
    throw error;
  }
}
