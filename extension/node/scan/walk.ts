import type { KeptBytes } from './byte-pack.ts';

/** One file, link or directory as a walk has found it. */
export interface Found {
  readonly kind: 'file' | 'link' | 'directory';
  readonly mode: number;
  readonly size: number;
  readonly target: string;
  /** With `born` it stays when the file is moved or written, and no other file on its disk has both. */
  readonly inode: string;
  /** Nanoseconds since the epoch, as the other times; 0 where the file system does not know. */
  readonly born: bigint;
  readonly modified: bigint;
  /** The last time that anything of it changed. */
  readonly touched: bigint;
  /** It was touched at the time of the walk: a later touch may leave no trace in its times. */
  readonly isFresh: boolean;
  /** It lies in a folder of things that can be made again: its bytes are not kept. */
  readonly isMade: boolean;
  /** Of a file, where they are kept. */
  kept?: KeptBytes | undefined;
  /** Of a directory: it has a `.git`, which is not looked at. */
  isRepository?: true;
}

export interface Walk {
  readonly found: ReadonlyMap<string, Found>;
  /** Directories whose entries were read. */
  readonly listed: ReadonlySet<string>;
  /** Those that were not, since there is too much or no leave. */
  readonly unread: readonly string[];
  /** Those that hold names that are not UTF-8: what has one is not among what was found. */
  readonly mangled: ReadonlySet<string>;
  /** The folders themselves, which are not among what was found. */
  readonly roots: ReadonlyMap<string, Found>;
}

export interface WalkLimits {
  /** Absolute paths that are not looked at. */
  readonly excluded: readonly string[];
  readonly maxEntries: number;
}
