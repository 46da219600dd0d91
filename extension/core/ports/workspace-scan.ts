import type { Entry } from './file-tree.ts';

/** A path before and after; `bytes` rejects where they are not kept, or have changed meanwhile. */
export interface ScannedChange {
  /** Absolute. */
  readonly path: string;
  readonly before: ScannedEntry;
  readonly after: ScannedEntry;
}

export type ScannedEntry = Entry & { readonly bytes?: () => Promise<Uint8Array> };

export interface ScannedChanges {
  readonly changes: readonly ScannedChange[];
  /** What was not looked at, in one sentence. */
  readonly uncovered?: string | undefined;
}

/**
 * Finds out what a command changes in the workspace. `.git` is never looked at. What changes while no command runs is
 * nobody's change.
 */
export interface WorkspaceScan {
  /** Takes in what is there, so that the next `begin` has less to do. Never rejects. */
  prepare(): Promise<void>;
  /** Looks at everything now. Resolves with what tells, as soon as the command is over, how that differs then. */
  begin(): Promise<() => Promise<ScannedChanges>>;
  /** These paths were just changed by somebody else, the user or another session: no command that is running has done it. Never rejects. */
  absorb(paths: readonly string[]): Promise<void>;
}
