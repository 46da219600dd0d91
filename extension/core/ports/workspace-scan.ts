import type { Entry } from './file-tree.ts';

/** A path before and after. */
export interface ScannedChange {
  /** Absolute. */
  readonly path: string;
  readonly before: ScannedEntry;
  readonly after: ScannedEntry;
  /** Another command, which ran at the same time, may have done it or a part of it. */
  readonly isShared?: boolean;
}

export type ScannedEntry = Entry & {
  /** Rejects where they are not kept, or cannot be read. */
  readonly bytes?: () => Promise<Uint8Array>;
  /** Of what is not to be kept: the SHA-256 of its bytes, hex, by which it can be known again. Rejects as `bytes`. */
  readonly hash?: () => Promise<string>;
};

export interface ScannedChanges {
  readonly changes: readonly ScannedChange[];
  /** What was not found out, in sentences. */
  readonly uncovered?: string | undefined;
}

/**
 * Finds out what a command changes in the workspace. `.git` is never looked at. What changes while no command runs is
 * nobody's change.
 */
export interface WorkspaceScan {
  /** Takes in what is there, so that the next `begin` has less to do. Never rejects. */
  prepare(): Promise<void>;
  /**
   * Looks at everything now. Resolves with what tells, as soon as the command is over, how that differs then. With `key`,
   * which nothing else has, a later process may ask for it if this one dies meanwhile.
   */
  begin(key?: string): Promise<() => Promise<ScannedChanges>>;
  /**
   * What has changed since a scan with this key began, in a process that has died before it ended: once. `bytes` of before
   * are not kept. Undefined where that is not known any more.
   */
  resume(key: string): Promise<ScannedChanges | undefined>;
  /**
   * These paths were just changed by somebody else, the user or another session: no command that is running has done it. With a directory
   * that has gone, all that lay in it. Never rejects.
   */
  absorb(paths: readonly string[]): Promise<void>;
}
