import { versionOf } from '../base/content-hash.ts';
import type { BlobStore } from '../ports/blob-store.ts';

/** Limit for all buffered versions, in bytes. */
const ROOM = 50_000_000;

/**
 * Buffers versions in memory that the disk did not accept, up to `ROOM`. They are lost when the process ends.
 */
export class PendingBlobs {
  readonly #held = new Map<string, Uint8Array>();
  #room = ROOM;

  add(bytes: Uint8Array): void {
    const hash = versionOf(bytes);
    if (bytes.length > this.#room || this.#held.has(hash)) return;
    this.#held.set(hash, bytes);
    this.#room -= bytes.length;
  }

  /** Writes the versions that the disk accepts now. Never rejects. */
  async writeTo(blobs: BlobStore): Promise<void> {
    for (const [hash, bytes] of this.#held) {
      const isWritten = await blobs.put(bytes).then(
        () => true,
        () => false,
      );
      if (!isWritten) return;
      if (this.#held.delete(hash)) this.#room += bytes.length;
    }
  }
}
