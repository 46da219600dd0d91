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
  /** As the user sees the file: an editor's unsaved text, else the bytes on disk. */
  readonly bytes: Uint8Array;
  /** Equal versions mean equal content. */
  readonly version: string;
  /** An editor holds changes that are not on disk. */
  readonly unsaved: boolean;
}

export interface SearchQuery {
  /** POSIX basic regular expression with GNU's extensions. */
  readonly pattern: string;
  /** Absolute path of a file or directory. */
  readonly path: string;
  readonly recursive: boolean;
  /** Keep at most so many matching lines. */
  readonly maxMatches: number;
}

export interface SearchResult {
  /** `line:content` for a file, `file:line:content` for a directory, joined by line feeds, in a stable order. */
  readonly matches: string;
  /** How many matching lines were left out because of `maxMatches`. */
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
    }
  | { readonly kind: 'move'; readonly source: string; readonly destination: string }
  /** `expect` as for `write`. A file alone: no directory and no link. */
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

/** The version of a file that is not there. */
export const ABSENT = 'absent';

/** The files that the agent works on. Every path given to it is absolute; every method rejects with `WorkspaceError` alone. */
export interface Workspace {
  /** Empty where no folder is open. */
  readonly roots: readonly Root[];
  /** The user trusts these folders; asked before each action, since trust can be given late. */
  trusted(): boolean;
  /** Follows links. Undefined where nothing is there; permission errors reject. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The path without links: of the deepest ancestor that exists, then the rest as given. Never rejects for a missing file. */
  realpath(path: string): Promise<string>;
  /** The whole file. Rejects with `too-large` past `maxBytes`. */
  read(path: string, maxBytes: number): Promise<FileContent>;
  /** The bytes of the file from the start, as they are wanted, for a range of a file that `read` refuses. */
  stream(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** What `ls -al PATH` prints. */
  list(path: string, signal: AbortSignal): Promise<string>;
  /** Rejects with `invalid-pattern` for a bad expression. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
  /**
   * `write` makes missing parents (0755) and keeps mode and links; rejects with `changed` where `expect` does not hold,
   * and with `unsaved` where an editor's unsaved text would be lost. It resolves with the version of the file as it then
   * is, which is another than that of `bytes` where an editor formats what it saves. `move` and `delete` resolve with nothing; `delete` rejects as `write` does.
   */
  apply(change: Change): Promise<string | undefined>;
}
