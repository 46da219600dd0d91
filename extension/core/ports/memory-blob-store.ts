import { versionOf } from '../tools/version.ts';
import type { BlobStore } from './blob-store.ts';

/** Blobs without a disk. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, Uint8Array>();

  async put(bytes: Uint8Array): Promise<string> {
    const hash = versionOf(bytes);
    if (!this.#blobs.has(hash)) this.#blobs.set(hash, new Uint8Array(bytes));
    return hash;
  }

  async get(hash: string): Promise<Uint8Array> {
    const bytes = this.#blobs.get(hash);
    if (!bytes) throw new Error(`no blob ${hash}`);
    return bytes;
  }

  async has(hash: string): Promise<boolean> {
    return this.#blobs.has(hash);
  }
}
