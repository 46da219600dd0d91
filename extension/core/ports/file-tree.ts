/**
 * What lies at a path, links not followed. `mode`: permission bits, as in `chmod`. `size` in bytes. `isLinked`: the file has
 * other names, too. `isUnsaved`: an editor holds another text of it, which is what `read` gives.
 */
export type Entry =
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
  /** A socket, a device: nothing that could be kept. */
  | { readonly kind: 'special' };

/** What is in the way of a path, since it is no directory: a file, or a link, with what the path leads to through it. */
export interface Beyond {
  readonly at: string;
  readonly leadsTo?: string;
}

/** What is to give way. Modes do not count, and of a file with an empty `hash` nothing does: nobody knows what it holds. */
export type Replaced =
  | { readonly kind: 'absent' | 'directory' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'file'; readonly hash: string };

/**
 * The files themselves, as undo sees them: every path is absolute, no link is followed, at its end or above it, and
 * nothing is asked for leave. Every method rejects with `WorkspaceError` alone; those that are told what is `replaced` do
 * with `changed` where something else lies there, and look just before.
 */
export interface FileTree {
  look(path: string): Promise<Entry>;
  /** Of a directory: the names in it, sorted. */
  names(path: string): Promise<readonly string[]>;
  /** Of a file: an editor's unsaved text, else the bytes on disk. Rejects with `too-large` past `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Makes it a file with these bytes in one step, in the place of a file or link, or of nothing; missing parents are made. */
  write(path: string, bytes: Uint8Array, mode: number, replaced?: Replaced): Promise<void>;
  /** Makes it a link, in the place of a file or link, or of nothing; missing parents are made. */
  link(path: string, target: string, replaced?: Replaced): Promise<void>;
  /** Makes the directory where there is nothing; missing parents are made. */
  makeDirectory(path: string, mode: number): Promise<void>;
  /** Of a file or directory. */
  setMode(path: string, mode: number): Promise<void>;
  /** Clears away what a process that died while it changed something in this directory has left half-done there. Never rejects. */
  tidy(path: string): Promise<void>;
  /** A file, a link, or an empty directory; rejects with `not-empty` for any other. */
  remove(path: string, replaced?: Replaced): Promise<void>;
}

/** Absolute paths that a call may change, or anything in the workspace. */
export type Touches = readonly string[] | 'workspace';
