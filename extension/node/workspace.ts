import { versionOf } from '../core/base/content-hash.ts';
import type {
  Change,
  FileContent,
  FileQuery,
  FileStat,
  FoundFiles,
  Root,
  SearchQuery,
  SearchResult,
  Workspace,
} from '../core/ports/workspace.ts';
import { asWorkspaceErrors, toWorkspaceError } from './fs/file-errors.ts';
import { movePath } from './fs/move-path.ts';
import { readWholeFile, statFile, streamFile } from './fs/read-file.ts';
import { realPath } from './fs/real-path.ts';
import { deleteFile, writeFileWhole } from './fs/write-file.ts';
import { listDirectory } from './processes/list-directory.ts';
import { directoryTree } from './search/directory-tree.ts';
import { createFileSearch, type FileSearch } from './search/file-search.ts';
import { nearPaths } from './search/near-paths.ts';

type Search = (query: SearchQuery, signal: AbortSignal) => Promise<SearchResult>;

/** Reads and changes files on disk without an editor. */
export class NodeWorkspace implements Workspace {
  readonly roots: readonly Root[];
  readonly #search: Search;
  readonly #files: FileSearch;

  constructor(roots: readonly Root[], search: Search, files: FileSearch = createFileSearch()) {
    this.roots = roots;
    this.#search = search;
    this.#files = files;
  }

  /** There is no editor to ask the user, who trusts a folder by naming it. */
  trusted(): boolean {
    return true;
  }

  stat(path: string): Promise<FileStat | undefined> {
    return asWorkspaceErrors(path, statFile(path));
  }

  realpath(path: string): Promise<string> {
    return asWorkspaceErrors(path, realPath(path));
  }

  read(path: string, maxBytes: number): Promise<FileContent> {
    return asWorkspaceErrors(path, readWholeFile(path, maxBytes));
  }

  async *stream(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* streamFile(path, signal);
    } catch (error) {
      throw toWorkspaceError(error, path);
    }
  }

  list(path: string, signal: AbortSignal): Promise<string> {
    return asWorkspaceErrors(path, listDirectory(path, signal));
  }

  tree(path: string, depth: number, signal: AbortSignal): Promise<string> {
    return asWorkspaceErrors(path, directoryTree(path, depth, signal));
  }

  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    return this.#search(query, signal);
  }

  find(query: FileQuery, signal: AbortSignal): Promise<FoundFiles> {
    return this.#files.find(query, signal);
  }

  near(path: string, root: string, signal: AbortSignal): Promise<readonly string[]> {
    return nearPaths(path, root, this.#files.list, signal);
  }

  async apply(change: Change): Promise<string | undefined> {
    switch (change.kind) {
      case 'write':
        await asWorkspaceErrors(change.path, writeFileWhole(change));
        return change.version ?? versionOf(change.bytes);
      case 'move':
        await asWorkspaceErrors(change.destination, movePath(change.source, change.destination));
        return undefined;
      case 'delete':
        await asWorkspaceErrors(change.path, deleteFile(change));
        return undefined;
    }
  }
}
