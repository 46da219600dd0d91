import type { FileTreeEntry } from './file-tree.ts';

/** A path before and after. */
export interface ScannedChange {
  /** Absolute. */
  readonly path: string;
  readonly before: ScannedEntry;
  readonly after: ScannedEntry;
  /** Another program that ran at the same time may have made this change or a part of it. */
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

/** Which command of which session. Both are unique together. */
export interface ScannedCommand {
  readonly session: string;
  readonly call: string;
}

/** The scan of a command that runs. */
export interface CommandScan {
  /** Reports what has changed. The command is over. */
  end(): Promise<ScannedChanges>;
  /**
   * Reports what has changed so far, for a command that goes on in the background. The next `soFar` or `end`
   * reports only what is new since then, with `isShared`, because other programs may have made it. What
   * changes while another command of the same session runs counts as that command's alone. Of two commands
   * in the background of the same session, the first that reports has the change.
   */
  soFar(): Promise<ScannedChanges>;
  /** The command outlives this process, or its session. `resume` reports what changes after the last `soFar`. */
  leave(): Promise<void>;
}

/**
 * Detects what a command changes in the workspace. It never looks at `.git`, and attributes no change made
 * while no command runs.
 */
export interface WorkspaceScan {
  /**
   * Scans everything. With `command`, a later process can `resume` if this one dies. Rejects as soon as the
   * signal is aborted.
   */
  begin(command: ScannedCommand | undefined, signal: AbortSignal): Promise<CommandScan>;
  /**
   * What has changed since the scan of this command began, or its last `soFar`, in a process that died before
   * it ended; works once. The earlier `bytes` are not available. Undefined if the scan is no longer known.
   */
  resume(command: ScannedCommand): Promise<ScannedChanges | undefined>;
  /**
   * Records that the user or another session just changed these paths, so no running command did. For a
   * deleted directory, includes all that lay in it. Never rejects.
   */
  absorb(paths: readonly string[]): Promise<void>;
}
