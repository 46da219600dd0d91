import type { KeptBytes } from './byte-pack.ts';

/** A file, link or directory that a walk found. */
export interface WalkEntry {
  readonly kind: 'file' | 'link' | 'directory';
  readonly mode: number;
  readonly size: number;
  readonly target: string;
  /** With `born`, identifies a file after it was moved or written. No other file on its disk has both. */
  readonly inode: string;
  /** Nanoseconds since the epoch, like the other times; 0 if the file system does not know. */
  readonly born: bigint;
  readonly modified: bigint;
  /** The last time that anything about the entry changed. */
  readonly touched: bigint;
  /** The entry was touched at the time of the walk, so a later touch may leave no trace in its times. */
  readonly isFresh: boolean;
  /** The entry lies in a folder that can be made again. Harness does not store its bytes. */
  readonly isMade: boolean;
  /** For a file: it has other names, and a program may change it by one of these. */
  readonly isLinked?: boolean;
  /** For a file: where its bytes are stored. */
  kept?: KeptBytes | undefined;
  /** For a directory: it has a `.git`, which the walk skips. */
  isRepository?: true;
}

export interface Walk {
  readonly found: ReadonlyMap<string, WalkEntry>;
  /** Directories whose entries were read. */
  readonly listed: ReadonlySet<string>;
  /** Directories that were not read, because of the limit or a missing permission. */
  readonly unread: readonly string[];
  /** Directories with names that are not UTF-8. `found` lacks the entries with such names. */
  readonly mangled: ReadonlySet<string>;
  /** Pipes, sockets and devices, which `found` lacks. */
  readonly special: ReadonlySet<string>;
  /** The root folders themselves, which `found` lacks. */
  readonly roots: ReadonlyMap<string, WalkEntry>;
}

export interface WalkLimits {
  /** Absolute paths that the walk skips. */
  readonly excluded: readonly string[];
  readonly maxEntries: number;
  /** Called before the walk lists a directory. */
  readonly onFolder?: (directory: string, found: WalkEntry | undefined) => void;
}
