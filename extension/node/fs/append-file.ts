import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { contentOf, endsWith, writeAll } from './handle-bytes.ts';
import { makeFolder } from './make-folders.ts';
import { syncDirectory } from './rename-into-place.ts';
import { replaceFile } from './replace-file.ts';
import { isBehind } from './same-beginning.ts';

const NOTHING = Buffer.alloc(0);
const LINE_FEED = Buffer.from('\n');
/**
 * Unsynced bytes above which a write also syncs. Memory holds the unsynced texts, because a failed sync may
 * lose them.
 */
const MAX_UNSYNCED = 1_000_000;

const DONE = async () => {};

/**
 * What another program did to an open file. `gone`: it removed or moved the file or its folder. `replaced`:
 * another file has the name. `shortened`: bytes of the file are missing.
 */
export type Loss = 'gone' | 'replaced' | 'shortened';

interface AppendOptions {
  /** Other processes append to the file, too. */
  readonly shared?: boolean;
  /** A power loss may lose the file. `AppendFile` syncs it only on request, and buffers no unsynced texts. */
  readonly isSpare?: boolean;
  /** Called when another program did this to the file, before the repair. The folder exists then. */
  readonly onLost?: (how: Loss) => Promise<void>;
  /** Rejects if this process must not write now. The texts then stay buffered, as on a full disk. */
  readonly mayWrite?: () => Promise<void> | undefined;
}

/**
 * A file that only grows. An appended text survives the death of this process and, after a `sync`, a power
 * loss. Texts reach the file whole and in order. A text that cannot be written stays buffered, and goes first
 * at the next try. If another program removes or replaces the open file, the next write first restores the
 * file with all its content. For a shared file, the next write uses the file that is there, or a new one.
 */
export class AppendFile {
  #path: string;
  readonly #shared: boolean;
  readonly #isSpare: boolean;
  readonly #onLost: (how: Loss) => Promise<void>;
  readonly #mayWrite: () => Promise<void> | undefined;
  /** Texts that are not in the file. */
  #held: Buffer[] = [];
  /** Texts that are in the file, but perhaps not on the disk. */
  #unsynced: Buffer[] = [];
  #unsyncedBytes = 0;
  #isSyncWanted = false;
  #isClosed = false;
  #hasDurableName = false;
  /** The file may end with a partial text. */
  #isTorn = false;
  #handle: FileHandle | undefined;
  #size = 0;
  /** Identifies the open file. */
  #inode = 0;
  #newest: Buffer | undefined;
  #problem: unknown;
  /** The next write, which has not begun. It covers everything that callers ask for until it begins. */
  #next: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    path: string,
    { shared = false, isSpare = false, onLost = DONE, mayWrite = () => undefined }: AppendOptions = {},
  ) {
    this.#path = path;
    this.#shared = shared;
    this.#isSpare = isSpare;
    this.#onLost = onLost;
    this.#mayWrite = mayWrite;
  }

  /** The error of the last write or sync; undefined if it succeeded. */
  get problem(): unknown {
    return this.#problem;
  }

  get path(): string {
    return this.#path;
  }

  /** The last text that reached the file; undefined before the first one. */
  get newest(): string | undefined {
    return this.#newest?.toString();
  }

  /**
   * Opens the file. From then on, its content survives if another program removes the file. Without this
   * call, that begins with the first `append`.
   */
  async hold(): Promise<void> {
    await this.#open();
  }

  /**
   * Makes the next write open the path anew, because another program may have replaced the file. Only
   * `mayWrite` may call this.
   */
  async reopen(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    this.#isTorn = false;
  }

  /** Whether another file has the name and equals the beginning of this one, such as a file from a backup. */
  async isReplacedByBeginning(): Promise<boolean> {
    return this.#handle !== undefined && this.#loss() === 'replaced' && isBehind(this.#handle, this.#path);
  }

  /**
   * Copies the content to `path` and continues there, even if the file lost its own name. Call only from
   * `mayWrite`, or while no write runs.
   */
  async goOnAt(path: string): Promise<void> {
    await replaceFile(path, this.#handle ? contentOf(this.#handle, this.#size) : NOTHING);
    this.#path = path;
    this.#hasDurableName = false;
    this.#forgetUnsynced();
    await this.reopen();
  }

  /**
   * Resolves when the text is in the file, after all texts buffered before it. If it rejects, the text stays
   * buffered.
   */
  append(text: string): Promise<void> {
    this.#held.push(Buffer.from(text));
    return this.#flushSoon();
  }

  /** Resolves when all appended texts are on the disk. Rejects if they are not. */
  sync(): Promise<void> {
    this.#isSyncWanted = true;
    return this.#flushSoon();
  }

  /** Like `sync`, but only waits for the last write if nothing is unsynced. */
  async settle(): Promise<void> {
    await (this.#held.length > 0 || this.#unsyncedBytes > 0 ? this.sync() : this.#last);
  }

  /** Rejects if texts could not be written and will be lost with this process. */
  async close(): Promise<void> {
    try {
      await this.settle();
    } finally {
      this.#isClosed = true;
      await this.#handle?.close();
      this.#handle = undefined;
    }
  }

  #flushSoon(): Promise<void> {
    if (this.#next) return this.#next;
    const next = this.#last.then(() => this.#flush());
    this.#next = next;
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #flush(): Promise<void> {
    this.#next = undefined;
    try {
      // Another process may write the file after `close`.
      if (this.#isClosed) throw new Error(`${this.#path} was closed`);
      await this.#bringBack();
      if (this.#held.length > 0) await this.#write();
      if (this.#isSyncWanted || this.#unsyncedBytes > MAX_UNSYNCED) await this.#sync();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error;
      throw error;
    }
  }

  async #write(): Promise<void> {
    const asked = this.#mayWrite();
    if (asked) await asked;
    const handle = await this.#open();
    await this.#cutTorn(handle);
    const before = this.#isTorn ? LINE_FEED : NOTHING;
    try {
      await writeAll(handle, joined([before, ...this.#held]), (written) => {
        this.#isTorn ||= written > 0;
        this.#take(written - before.length);
      });
      this.#isTorn = false;
    } catch (error) {
      // If this fails, too, the next write removes the partial text.
      await this.#cutTorn(handle).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Removes a partial text, because it would swallow the next line. Leaves a shared file unchanged, because
   * other processes may have written behind the partial text.
   */
  async #cutTorn(handle: FileHandle): Promise<void> {
    if (!this.#isTorn || this.#shared) return;
    await handle.truncate(this.#size);
    this.#isTorn = false;
  }

  /** Removes texts from the buffer. Its first `written` bytes are in the file. */
  #take(written: number): void {
    // In a shared file, a text may lack its line feed, because the next write begins with one.
    const missing = this.#shared ? LINE_FEED.length : 0;
    let bytes = 0;
    let count = 0;
    for (const text of this.#held) {
      if (bytes + text.length > written + missing) break;
      bytes += text.length;
      count += 1;
    }
    const texts = this.#held.splice(0, count);
    this.#newest = texts.at(-1) ?? this.#newest;
    this.#size += bytes;
    if (this.#isSpare) return;
    this.#unsyncedBytes += bytes;
    if (!this.#shared) this.#unsynced.push(...texts);
  }

  async #sync(): Promise<void> {
    const handle = await this.#open();
    try {
      await handle.datasync();
      if (!this.#hasDurableName) await this.#syncName();
    } catch (error) {
      this.#writeUnsyncedAgain();
      throw error;
    }
    this.#isSyncWanted = false;
    this.#forgetUnsynced();
  }

  /**
   * Buffers the unsynced texts again. After a failed sync, the system may have dropped them, and reports that
   * only once.
   */
  #writeUnsyncedAgain(): void {
    if (this.#shared || this.#unsynced.length === 0) return;
    this.#held.unshift(...this.#unsynced);
    this.#size -= this.#unsyncedBytes;
    this.#isTorn = true;
    this.#forgetUnsynced();
  }

  #forgetUnsynced(): void {
    this.#unsynced = [];
    this.#unsyncedBytes = 0;
  }

  /** Syncs the entries of the file and of its folder, because a power loss without them loses a new file. */
  async #syncName(): Promise<void> {
    const folder = dirname(this.#path);
    await syncDirectory(folder);
    await syncDirectory(dirname(folder));
    this.#hasDurableName = true;
  }

  async #bringBack(): Promise<void> {
    const lost = this.#handle;
    const loss = lost && this.#loss();
    if (!loss) return;
    // Another process may have continued the file.
    if (loss !== 'gone') await this.#mayWrite();
    if (this.#handle !== lost) return;
    await makeFolder(dirname(this.#path));
    await this.#onLost(loss);
    const isWhole = loss !== 'shortened' && !this.#shared;
    if (isWhole) await replaceFile(this.#path, contentOf(lost, this.#size));
    this.#hasDurableName = false;
    await this.reopen();
  }

  /**
   * Compares the file at the path with the open one. On some systems, a removed file stays open and still
   * accepts writes.
   */
  #loss(): Loss | undefined {
    // Synchronous, because a turn of the thread pool would cost more than the write.
    const found = statSync(this.#path, { throwIfNoEntry: false });
    if (!found) return 'gone';
    if (found.ino !== this.#inode) return 'replaced';
    return found.size < this.#size ? 'shortened' : undefined;
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    await makeFolder(dirname(this.#path));
    const handle = await open(this.#path, 'a+', 0o600);
    try {
      ({ size: this.#size, ino: this.#inode } = await handle.stat());
      // A process that died during a write leaves a partial line.
      this.#isTorn = this.#shared && !(await endsWith(handle, this.#size, LINE_FEED));
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#handle = handle;
    return handle;
  }
}

/** Does not copy a single text, which is the common case. */
function joined(texts: readonly Buffer[]): Buffer {
  const [alone = NOTHING, ...others] = texts.filter(({ length }) => length > 0);
  return others.length === 0 ? alone : Buffer.concat([alone, ...others]);
}
