import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const LINE_FEED = Buffer.from('\n');

/**
 * A file that only grows. What was acknowledged is with the operating system: it survives the death of this process.
 * Texts reach the file whole and in the order in which they were given.
 */
export class AppendFile {
  readonly #path: string;
  readonly #shared: boolean;
  /** A line of ours may be there in part. */
  #torn = false;
  #handle: FileHandle | undefined;
  #size = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** `shared`: other processes append to it too. */
  constructor(path: string, { shared = false } = {}) {
    this.#path = path;
    this.#shared = shared;
  }

  /**
   * Asks for the text when its turn has come, and calls `written` before the next one's. Resolves when the text is in
   * the file; rejects where it is not, and then nothing of it is.
   */
  append(text: () => string, written: () => void = () => {}): Promise<void> {
    const done = this.#last.then(() => this.#write(Buffer.from(text()))).then(written);
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

  async #open(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const handle = await open(this.#path, 'a', 0o600);
    this.#size = (await handle.stat()).size;
    this.#handle = handle;
    return handle;
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    offset += (await handle.write(bytes, offset)).bytesWritten;
  }
}
