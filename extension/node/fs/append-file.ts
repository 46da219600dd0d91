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
/** Bytes that are kept in memory until they are on the disk, in case that loses them. */
const MAX_UNSYNCED = 1_000_000;

const DONE = async () => {};

/**
 * What somebody did to an open file: it, or its folder, was removed or moved away; another file has its name; bytes of it are
 * gone.
 */
export type Loss = 'gone' | 'replaced' | 'shortened';

interface AppendOptions {
  /** Other processes append to it too. */
  readonly shared?: boolean;
  /** It may be lost with the power: it is not put on the disk, and none of it is kept in memory. */
  readonly isSpare?: boolean;
  /** Somebody did that to the file. Called before anything is done about it; the folder is there. */
  readonly onLost?: (how: Loss) => Promise<void>;
  /** Rejects where nothing may be written now; then it is held, as on a full disk. */
  readonly mayWrite?: () => Promise<void> | undefined;
}

/**
 * A file that only grows. What was acknowledged is with the operating system: it survives the death of this process, and
 * after a `sync` the loss of power. Texts reach the file whole and in the order in which they were given; what could not be
 * written is held and goes first at the next try. A file that is removed or replaced while it is open is written anew before
 * the next text, with all that was in it; a shared one goes on with the file that is there, or a new one.
 */
export class AppendFile {
  #path: string;
  readonly #shared: boolean;
  readonly #isSpare: boolean;
  readonly #onLost: (how: Loss) => Promise<void>;
  readonly #mayWrite: () => Promise<void> | undefined;
  /** Not in the file. */
  #held: Buffer[] = [];
  /** In the file, and perhaps not on the disk. */
  #unsynced: Buffer[] = [];
  #unsyncedBytes = 0;
  #isSyncWanted = false;
  #isClosed = false;
  #hasDurableName = false;
  /** Behind `#size` there may be a part of a text of ours. */
  #isTorn = false;
  #handle: FileHandle | undefined;
  #size = 0;
  /** Tells it from every other file. */
  #inode = 0;
  #newest: Buffer | undefined;
  #problem: unknown;
  /** The write that has not begun: one for all that is asked for until it does. */
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

  /** Why the newest text is not where it was to be: what the last try was rejected with; undefined where it was not. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Where it is. */
  get path(): string {
    return this.#path;
  }

  /** The last text that has reached the file; undefined before the first. */
  get newest(): string | undefined {
    return this.#newest?.toString();
  }

  /** From now on, what is in it is not lost with its name. Without this, from the first `append` on. */
  async hold(): Promise<void> {
    await this.#open();
  }

  /** Somebody else may have put another file in its place. Asked for by `mayWrite`. */
  async reopen(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    this.#isTorn = false;
  }

  /** Another file has its name, and is a beginning of it: one from a backup. */
  async isReplacedByBeginning(): Promise<boolean> {
    return this.#handle !== undefined && this.#loss() === 'replaced' && isBehind(this.#handle, this.#path);
  }

  /** From now on it is the file at `path`, with what is in it, also where it has lost its own name. Asked for by `mayWrite`, or when it rests. */
  async goOnAt(path: string): Promise<void> {
    await replaceFile(path, this.#handle ? contentOf(this.#handle, this.#size) : NOTHING);
    this.#path = path;
    this.#hasDurableName = false;
    this.#forgetUnsynced();
    await this.reopen();
  }

  /** Resolves when the text is in the file, with all that was held before it; rejects where it is not, and then it is held. */
  append(text: string): Promise<void> {
    this.#held.push(Buffer.from(text));
    return this.#flushSoon();
  }

  /** Resolves when all that was given is on the disk; rejects where it is not. */
  sync(): Promise<void> {
    this.#isSyncWanted = true;
    return this.#flushSoon();
  }

  /** The same; costs nothing where nothing is missing there. */
  async settle(): Promise<void> {
    await (this.#held.length > 0 || this.#unsyncedBytes > 0 ? this.sync() : this.#last);
  }

  /** Rejects where something is lost with this process: it could not be written to the last. */
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
      // Somebody else may be writing it by now.
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
      // Where even this fails, it is done before the next text.
      await this.#cutTorn(handle).catch(() => undefined);
      throw error;
    }
  }

  /** A half-written line must not swallow the next one, and what others wrote behind it must stay. */
  async #cutTorn(handle: FileHandle): Promise<void> {
    if (!this.#isTorn || this.#shared) return;
    await handle.truncate(this.#size);
    this.#isTorn = false;
  }

  /** Of what is held, the first `written` bytes are in the file. */
  #take(written: number): void {
    // A line feed goes before what comes next, and so ends a text that lacks its own.
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

  /** After a failed sync the system may have dropped what it held, and says so only once. */
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

  /** A new file is lost with its folder's entry, or with that of its folder. */
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
    // Another process may have gone on with it.
    if (loss !== 'gone') await this.#mayWrite();
    if (this.#handle !== lost) return;
    await makeFolder(dirname(this.#path));
    await this.#onLost(loss);
    const isWhole = loss !== 'shortened' && !this.#shared;
    if (isWhole) await replaceFile(this.#path, contentOf(lost, this.#size));
    this.#hasDurableName = false;
    await this.reopen();
  }

  /** On some systems an open file has no name any more once it is removed, and takes what is written all the same. */
  #loss(): Loss | undefined {
    // At once: a turn of the thread pool would cost more than the write.
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
      // Whoever died while it wrote has left a part of a line.
      this.#isTorn = this.#shared && !(await endsWith(handle, this.#size, LINE_FEED));
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#handle = handle;
    return handle;
  }
}

/** A text that comes alone, as most do, is not copied. */
function joined(texts: readonly Buffer[]): Buffer {
  const [alone = NOTHING, ...others] = texts.filter(({ length }) => length > 0);
  return others.length === 0 ? alone : Buffer.concat([alone, ...others]);
}
