import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { compileGlob, GlobError, namesHidden } from '../../core/base/text/glob.ts';
import { type FileQuery, type FoundFiles, WorkspaceError } from '../../core/ports/workspace.ts';
import { ifPresent, toWorkspaceError } from '../fs/file-errors.ts';
import { filesOf } from './grep-search.ts';
import { listFiles } from './list-files.ts';
import { findScope, type TreeScope } from './search-scope.ts';

/** Files that are listed; a larger folder needs a narrower path. */
const MOST_LISTED = 300_000;
/** Files whose times are read together. */
const TOGETHER = 256;

export interface FileSearch {
  /** `Workspace.find` on disk. */
  find(query: FileQuery, signal: AbortSignal): Promise<FoundFiles>;
  /** Paths of all files below a folder that is not ignored, relative to it, with forward slashes. */
  list(folder: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Lists with ripgrep, or without it if `ripgrepPath` is undefined. */
export function createFileSearch(ripgrepPath?: string): FileSearch {
  const list = async (folder: string, signal: AbortSignal) => {
    const scope = await findScope(folder, true);
    if (scope.kind !== 'tree') return [];
    return ripgrepPath === undefined
      ? walk(folder, scope, signal)
      : listFiles(listingOf(ripgrepPath, folder, scope), signal);
  };
  return {
    list,
    find: async (query, signal) => {
      try {
        const matches = toMatcher(query);
        return await newest(query, (await list(query.path, signal)).filter(matches));
      } catch (error) {
        if (signal.aborted)
          throw new WorkspaceError('failed', query.path, 'search cancelled', { cause: error });
        throw toWorkspaceError(error, query.path);
      }
    },
  };
}

function listingOf(ripgrep: string, folder: string, { isIgnored }: TreeScope) {
  const ignores = { own: !isIgnored, parents: !isIgnored, global: false };
  return { ripgrep, folder, excluded: [], ignores, followsLinks: false, most: MOST_LISTED };
}

async function walk(folder: string, scope: TreeScope, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of filesOf(folder, scope, signal)) {
    paths.push(path.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''));
    if (paths.length === MOST_LISTED) break;
  }
  return paths;
}

function toMatcher({ pattern, path }: FileQuery): (path: string) => boolean {
  try {
    const matches = compileGlob(pattern);
    if (namesHidden(pattern)) return matches;
    return (file) => !/(?:^|\/)\./.test(file) && matches(file);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new WorkspaceError('invalid-pattern', path, error.message, { cause: error });
  }
}

async function newest({ path, most }: FileQuery, found: readonly string[]): Promise<FoundFiles> {
  const timed: { readonly path: string; readonly time: number }[] = [];
  for (let at = 0; at < found.length; at += TOGETHER) {
    const paths = found.slice(at, at + TOGETHER).map((name) => join(path, name));
    const stats = await Promise.all(paths.map((file) => ifPresent(lstat(file))));
    for (const [index, file] of paths.entries()) {
      const stat = stats[index];
      if (stat?.isFile()) timed.push({ path: file, time: stat.mtimeMs });
    }
  }
  timed.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1));
  return {
    paths: timed.slice(0, most).map((file) => file.path),
    omitted: Math.max(0, timed.length - most),
  };
}
