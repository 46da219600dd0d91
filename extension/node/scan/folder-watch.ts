// Watches the folders of a walk, so that the next look at the workspace needs no walk.
import { type FSWatcher, readFileSync, statfsSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WalkEntry } from './walk.ts';

/**
 * The `f_type` of file systems for which the kernel reports each change: ext4, XFS, Btrfs, tmpfs, overlay,
 * F2FS, ZFS and bcachefs (`linux/magic.h`). Others, such as NFS, may change on another machine.
 */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);
/** Events between two looks. The kernel drops events when 16,384 wait, and libuv does not report it. */
const MOST_EVENTS = 8_000;
/** The part of the user's watches that Harness takes. Other programs need the rest. */
const SHARE = 0.25;

interface Watched {
  readonly watcher: FSWatcher;
  readonly folder: string;
}

/** Only on Linux, and only while the kernel reports everything. Elsewhere every look is a walk. */
export class FolderWatch {
  readonly #watched = new Map<string, Watched>();
  readonly #touched = new Set<string>();
  readonly #most = mostWatches();
  #events = 0;
  /** The walk that sets the watch has ended, and no watch has failed since. */
  #isWhole = false;
  /** Folders of the walk that runs. Undefined where the watch has failed. */
  #walked: Set<string> | undefined;

  /** Call before a walk. */
  beginWalk(): void {
    this.#isWhole = false;
    this.#touched.clear();
    this.#events = 0;
    this.#walked = this.#most > 0 ? new Set() : undefined;
  }

  /** Call in a walk before it lists the directory; `found` is its entry. */
  add(directory: string, found: WalkEntry | undefined): void {
    if (!this.#walked) return;
    this.#walked.add(directory);
    const folder = found ? `${found.inode} ${found.born}` : '';
    const known = this.#watched.get(directory);
    if (known && folder === known.folder) return;
    known?.watcher.close();
    this.#watched.delete(directory);
    if (this.#watched.size >= this.#most || !isLocal(directory)) this.close();
    else this.#watch(directory, folder);
  }

  /** Call after a walk that was not interrupted. */
  endWalk(): void {
    if (!this.#walked) return;
    for (const [directory, { watcher }] of this.#watched) {
      if (this.#walked.has(directory)) continue;
      watcher.close();
      this.#watched.delete(directory);
    }
    this.#isWhole = true;
  }

  /**
   * Resolves with what was touched since the last walk or the last call: files and directories by absolute
   * path. Undefined where only a walk can tell.
   */
  async takeTouched(): Promise<ReadonlySet<string> | undefined> {
    if (!this.#isWhole) return undefined;
    // After a whole turn of the event loop, everything that the kernel has reported so far has arrived.
    for (const _ of [1, 2]) await nextTurn();
    if (!this.#isWhole) return undefined;
    const touched = new Set(this.#touched);
    this.#touched.clear();
    this.#events = 0;
    return touched;
  }

  close(): void {
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
    this.#touched.clear();
    this.#walked = undefined;
    this.#isWhole = false;
  }

  #watch(directory: string, folder: string): void {
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => this.#note(directory, name));
      watcher.on('error', () => this.close());
      this.#watched.set(directory, { watcher, folder });
    } catch {
      this.close(); // the directory is gone, or the user has no watch left
    }
  }

  #note(directory: string, name: string | null): void {
    this.#events += 1;
    if (name === null || this.#events > MOST_EVENTS) return void this.close();
    this.#touched.add(join(directory, name));
    // An event of the directory itself has the name of the directory.
    if (name === basename(directory)) this.#touched.add(directory);
  }
}

function mostWatches(): number {
  if (process.platform !== 'linux') return 0;
  try {
    return Math.floor(Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8')) * SHARE) || 0;
  } catch {
    return 0; // the kernel has no inotify
  }
}

function isLocal(directory: string): boolean {
  try {
    return LOCAL.has(statfsSync(directory).type);
  } catch {
    return false; // the directory is gone
  }
}
