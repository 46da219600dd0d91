import type { FileTreeEntry } from './file-tree.ts';

/** A path before and after. */
export interface ScannedChange {
  /** Absolute. */
  readonly path: string;
  readonly before: ScannedEntry;
  readonly after: ScannedEntry;
  /** Another command that ran at the same time may have made this change or a part of it. */
  readonly isShared?: boolean;
}

export type ScannedEntry = FileTreeEntry & {
  /** Rejects if the bytes are not stored or cannot be read. */
  readonly bytes?: () => Promise<Uint8Array>;
  /**
   * For content that must not be stored: the SHA-256 (hex) of its bytes, to recognize it later. Rejects as
   * `bytes`.
   */
  readonly hash?: () => Promise<string>;
};

export interface ScannedChanges {
  readonly changes: readonly ScannedChange[];
  /** What the scan could not find out, in sentences. */
  readonly uncovered?: string | undefined;
}

/**
 * Detects what a command changes in the workspace. It never looks at `.git`, and attributes no change made
 * while no command runs.
 */
export interface WorkspaceScan {
  /** Scans the workspace, so that the next `begin` has less to do. Never rejects. */
  prepare(): Promise<void>;
  /**
   * Scans everything. Resolves with a function that reports the differences as soon as the command is over.
   * With a unique `key`, a later process can `resume` if this one dies.
   */
  begin(key?: string): Promise<() => Promise<ScannedChanges>>;
  /**
   * What has changed since a scan with this key began in a process that died before it ended; works once. The
   * earlier `bytes` are not available. Undefined if the scan is no longer known.
   */
  resume(key: string): Promise<ScannedChanges | undefined>;
  /**
   * Records that the user or another session just changed these paths, so no running command did. For a
   * deleted directory, includes all that lay in it. Never rejects.
   */
  absorb(paths: readonly string[]): Promise<void>;
}
