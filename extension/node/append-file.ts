import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifPresent } from './file-errors.ts';
import { replaceFile } from './replace-file.ts';

const LINE_FEED = Buffer.from('\n');

interface AppendOptions {
  /** Other processes append to it too. */
  readonly shared?: boolean;
  /** The file, or its folder, was removed or moved away, and is about to be written anew; the folder is there. */
  readonly onGone?: () => Promise<void>;
}

/**
 * A file that only grows. What was acknowledged is with the operating system: it survives the death of this process.
 * Texts reach the file whole and in the order in which they were given. One that is removed while it is open is written
 * anew before the next text, with all that was in it; a shared one begins anew.
 */
export class AppendFile {
  readonly #path: string;
  readonly #shared: boolean;
  readonly #onGone: () => Promise<void>;
  /** A line of ours may be there in part. */
  #torn = false;
  #handle: FileHandle | undefined;
  #size = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, { shared = false, onGone = async () => {} }: AppendOptions = {}) {
    this.#path = path;
    this.#shared = shared;
    this.#onGone = onGone;
  }

  /** From now on, what is in it is not lost with its name. Without this, from the first `append` on. */
  async hold(): Promise<void> {
    await this.#open();
  }

  /**
   * Asks for the text when its turn has come, and calls `written` before the next one's. `wasGone`: the file has just been
   * written anew. Resolves when the text is in the file; rejects where it is not, and then nothing of it is.
   */
  append(text: (wasGone: boolean) => string, written: () => void = () => {}): Promise<void> {
    const write = async () => {
      const wasGone = await this.#bringBack();
      await this.#write(Buffer.from(text(wasGone)));
    };
    const done = this.#last.then(write).then(written);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #write(bytes: Buffer): Promise<void> {
    const handle = await this.#open();
    try {
      await writeAll(handle, this.#torn ? Buffer.concat([LINE_FEED, bytes]) : bytes);
      this.#torn = false;
      this.#size += bytes.length;
    } catch (error) {
      await this.#mend(handle);
      throw error;
    }
  }

  /** A half-written line must not swallow the next one, and what others wrote behind it must stay. */
  async #mend(handle: FileHandle): Promise<void> {
    if (this.#shared) this.#torn = true;
    // Where even this fails, the reader sets the torn line aside.
    else await handle.truncate(this.#size).catch(() => undefined);
  }

  /** On some systems an open file has no name any more once it is removed, and takes what is written all the same. */
  async #bringBack(): Promise<boolean> {
    const lost = this.#handle;
    if (!lost || (await ifPresent(stat(this.#path)))) return false;
    await this.#makeFolder();
    await this.#onGone();
    if (!this.#shared) await replaceFile(this.#path, await contentOf(lost, this.#size));
    this.#handle = undefined;
    await lost.close();
    return true;
  }

  async #makeFolder(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    await this.#makeFolder();
    const handle = await open(this.#path, 'a+', 0o600);
    this.#size = (await handle.stat()).size;
    this.#handle = handle;
    return handle;
  }
}

async function contentOf(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(size);
  for (let offset = 0; offset < size; ) {
    const { bytesRead } = await handle.read(bytes, offset, size - offset, offset);
    if (bytesRead === 0) return bytes.subarray(0, offset);
    offset += bytesRead;
  }
  return bytes;
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    offset += (await handle.write(bytes, offset)).bytesWritten;
  }
}
