/** One folder of the workspace. */
export interface Root {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export interface FileStat {
  readonly type: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
}

export interface FileContent {
  /** The file as the user sees it: an editor's unsaved text, else the bytes on disk. */
  readonly bytes: Uint8Array;
  /** Equal versions mean equal content. */
  readonly version: string;
  /** An editor has changes that are not on disk. */
  readonly unsaved: boolean;
}

export interface SearchQuery {
  /** POSIX basic regular expression with GNU's extensions. */
  readonly pattern: string;
  /** `pattern` is a regular expression of ripgrep. */
  readonly extended?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
  /** Absolute path of a file or directory. */
  readonly path: string;
  readonly recursive: boolean;
  /** Limits a directory to the files that the pattern of `compileGlob` matches. */
  readonly glob?: string | undefined;
  /** Lines to return before and after each match. */
  readonly context?: number | undefined;
  /** Returns the paths of the files with matches, one a line. */
  readonly filesOnly?: boolean | undefined;
  /** The most lines to return. */
  readonly maxMatches: number;
}

export interface SearchResult {
  /**
   * `line:content` for a file, `file:line:content` for a directory, joined by line feeds, in a stable order.
   * Context lines have `-` in the place of `:`, and `--` separates lines that are not neighbors.
   */
  readonly matches: string;
  /** How many matching lines, or files, were left out because of `maxMatches`. */
  readonly omitted: number;
}

export interface FileQuery {
  /** For `compileGlob`, relative to `path`. */
  readonly pattern: string;
  /** Absolute path of a directory. */
  readonly path: string;
  /** The most paths to return. */
  readonly most: number;
}

export interface FoundFiles {
  /** Absolute paths of regular files, the most recently changed first. */
  readonly paths: readonly string[];
  /** How many files were left out because of `most`. */
  readonly omitted: number;
}

/** One change to the files, applied whole or not at all. Paths are absolute. */
export type Change =
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly bytes: Uint8Array;
      /** The version that is replaced; `absent`: the file must not exist yet. */
      readonly expect: string;
      /** The version of `bytes`, if the caller knows it, so that nobody computes it again. */
      readonly version?: string;
    }
  | { readonly kind: 'move'; readonly source: string; readonly destination: string }
  /** `expect` as for `write`. Deletes only a file, not a directory or a link. */
  | { readonly kind: 'delete'; readonly path: string; readonly expect: string };

export type WorkspaceErrorReason =
  | 'not-found'
  | 'is-directory'
  | 'not-directory'
  | 'not-regular'
  | 'permission-denied'
  | 'no-space'
  | 'not-empty'
  | 'too-large'
  | 'changed'
  | 'unsaved'
  | 'invalid-pattern'
  | 'failed';

/** Why the workspace could not do it; `message` is a sentence for the model and the user. */
export class WorkspaceError extends Error {
  constructor(
    readonly reason: WorkspaceErrorReason,
    readonly path: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  static is(error: unknown, reason?: WorkspaceErrorReason): error is WorkspaceError {
    return error instanceof WorkspaceError && (reason === undefined || error.reason === reason);
  }
}

/** The version of a file that does not exist. */
export const ABSENT = 'absent';

/**
 * The files that the agent works on. Callers pass absolute paths. Every method rejects with `WorkspaceError`
 * alone.
 */
export interface Workspace {
  /** Empty if no folder is open. */
  readonly roots: readonly Root[];
  /**
   * Whether the user trusts these folders. The caller asks before each action, since trust can be given late.
   */
  trusted(): boolean;
  /** Follows links. Undefined if nothing is there; rejects on permission errors. */
  stat(path: string): Promise<FileStat | undefined>;
  /**
   * Resolves links in the deepest ancestor that exists, then adds the rest as given. Never rejects for a
   * missing file.
   */
  realpath(path: string): Promise<string>;
  /** Reads the whole file. Rejects with `too-large` above `maxBytes`. */
  read(path: string, maxBytes: number): Promise<FileContent>;
  /** The bytes of the file from the start, read on demand, for a range of a file that `read` refuses. */
  stream(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** What `ls -al PATH` prints. */
  list(path: string, signal: AbortSignal): Promise<string>;
  /** The names below a directory, `depth` levels deep, without ignored ones. A level is indented by two blanks. */
  tree(path: string, depth: number, signal: AbortSignal): Promise<string>;
  /** Rejects with `invalid-pattern` for a bad expression. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
  /** Leaves out links, ignored files, and hidden files that the pattern does not name. */
  find(query: FileQuery, signal: AbortSignal): Promise<FoundFiles>;
  /**
   * Absolute paths in the folder `root` that may be meant by a path at which nothing is, the likeliest first.
   * Empty if it takes long.
   */
  near(path: string, root: string, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * `write` creates missing parents (0755), preserves mode and links, and resolves with the file's new
   * version. That differs from the version of `bytes` if an editor formats what it saves. `write` and
   * `delete` reject with `changed` if `expect` does not hold, and with `unsaved` if an editor's unsaved text
   * would be lost. `move` and `delete` resolve with undefined.
   */
  apply(change: Change): Promise<string | undefined>;
}
