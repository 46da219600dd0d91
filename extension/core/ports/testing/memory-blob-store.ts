import { versionOf } from '../../base/content-hash.ts';
import type { BlobStore } from '../blob-store.ts';

/** Blobs without a disk. It also reads those of another store. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #others: Pick<BlobStore, 'get' | 'has'> | undefined;

  constructor(others?: Pick<BlobStore, 'get' | 'has'>) {
    this.#others = others;
  }

  async put(bytes: Uint8Array): Promise<string> {
    const hash = versionOf(bytes);
    if (!this.#blobs.has(hash)) this.#blobs.set(hash, new Uint8Array(bytes));
    return hash;
  }

  async get(hash: string): Promise<Uint8Array> {
    const bytes = this.#blobs.get(hash) ?? (await this.#others?.get(hash));
    if (!bytes) throw new Error(`no blob ${hash}`);
    return bytes;
  }

  async has(hash: string): Promise<boolean> {
    return this.#blobs.has(hash) || ((await this.#others?.has(hash)) ?? false);
  }
}
