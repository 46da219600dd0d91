/**
 * What lies at a path, links not followed. `mode`: permission bits, as in `chmod`. `size` in bytes.
 * `isLinked`: the file also has other names. `isUnsaved`: an editor has unsaved text for it, which `read`
 * returns.
 */
export type FileTreeEntry =
  | { readonly kind: 'absent'; readonly beyond?: Beyond }
  | {
      readonly kind: 'file';
      readonly size: number;
      readonly mode: number;
      readonly isLinked?: boolean;
      readonly isUnsaved?: boolean;
    }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'directory'; readonly mode: number }
  /** A socket or a device: nothing that could be stored. */
  | { readonly kind: 'special' };

/**
 * What blocks a path because it is not a directory: a file, or a link with the target of the path through it.
 */
export interface Beyond {
  readonly at: string;
  readonly leadsTo?: string;
}

/**
 * What the caller expects to replace. Modes are not compared. For a file with an empty `hash`, nothing is
 * compared, because its content is unknown.
 */
export type Replaced =
  | { readonly kind: 'absent' | 'directory' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'file'; readonly hash: string };

/**
 * The files as undo sees them. Every path is absolute, no link is followed at its end or above it, and no
 * permission is asked. Every method rejects with `WorkspaceError` alone. Methods with `replaced` check right
 * before the change, and reject with `changed` if the path holds something else.
 */
export interface FileTree {
  look(path: string): Promise<FileTreeEntry>;
  /** The names in a directory, sorted. */
  names(path: string): Promise<readonly string[]>;
  /**
   * The content of a file: an editor's unsaved text, else the bytes on disk. Rejects with `too-large` above
   * `maxBytes`.
   */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /**
   * Writes a file with these bytes in one step. Replaces a file or link, or creates it; creates missing
   * parents.
   */
  write(path: string, bytes: Uint8Array, mode: number, replaced?: Replaced): Promise<void>;
  /** Creates a link. Replaces a file or link, or creates it where nothing is; creates missing parents. */
  link(path: string, target: string, replaced?: Replaced): Promise<void>;
  /** Creates the directory where nothing is; creates missing parents. */
  makeDirectory(path: string, mode: number): Promise<void>;
  /** Works for a file or a directory. */
  setMode(path: string, mode: number): Promise<void>;
  /** Removes what a process left half-done in this directory when it died during a change. Never rejects. */
  tidy(path: string): Promise<void>;
  /** Removes a file, a link or an empty directory. Rejects with `not-empty` for any other directory. */
  remove(path: string, replaced?: Replaced): Promise<void>;
}

/** Absolute paths that a call may change, or anything in the workspace. */
export type Touches = readonly string[] | 'workspace';
