import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readExactly } from '../fs/handle-bytes.ts';
import { temporaryBeside } from '../fs/temporary-files.ts';

/** A place in a pack. Two files with the same `KeptBytes` have the same content. */
export interface KeptBytes {
  readonly offset: number;
  readonly length: number;
}

/** Bytes per write. */
const BUFFER = 1_000_000;

/**
 * Stores the contents of files one after the other in a file without a name, which disappears with this
 * process. The pack is best effort: what it cannot take is not stored.
 */
export class BytePack {
  readonly #handle: FileHandle;
  readonly #maxBytes: number;
  #waiting: Uint8Array[] = [];
  #waitingSize = 0;
  #written = 0;
  /** Places that the disk did not take; they may contain zeros. */
  readonly #lost: KeptBytes[] = [];

  static async open(folder: string, maxBytes: number): Promise<BytePack> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = temporaryBeside(join(folder, 'pack'));
    const handle = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new BytePack(handle, maxBytes);
  }

  private constructor(handle: FileHandle, maxBytes: number) {
    this.#handle = handle;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#written + this.#waitingSize;
  }

  /** Resolves with undefined if there is no room, on the disk or within `maxBytes`. */
  async add(bytes: Uint8Array): Promise<KeptBytes | undefined> {
    if (this.size + bytes.length > this.#maxBytes) return undefined;
    const kept = { offset: this.size, length: bytes.length };
    this.#waiting.push(bytes);
    this.#waitingSize += bytes.length;
    if (this.#waitingSize < BUFFER) return kept;
    return this.flush().then(
      () => kept,
      () => undefined,
    );
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    const offset = this.#written;
    this.#written += bytes.length;
    this.#waiting = [];
    this.#waitingSize = 0;
    try {
      for (let done = 0; done < bytes.length; )
        done += (await this.#handle.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
    } catch (error) {
      this.#lost.push({ offset, length: bytes.length });
      throw error;
    }
  }

  /** Rejects if the bytes could not be written or cannot be read. */
  async get({ offset, length }: KeptBytes): Promise<Uint8Array> {
    if (offset + length > this.#written) await this.flush();
    if (this.#lost.some((place) => offset >= place.offset && offset < place.offset + place.length))
      throw new Error('these bytes were not kept');
    const bytes = await readExactly(this.#handle, offset, length);
    if (!bytes) throw new Error('these bytes were not kept');
    return bytes;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
