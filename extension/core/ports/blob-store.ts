/** Bytes of one session, each named by its SHA-256 (hex) and kept once. */
export interface BlobStore {
  /**
   * Resolves with the name when the bytes would survive the loss of power, so that an event may name them; rejects where they could not be written.
   * `like` is the name of an earlier version of the same file, beside which they may take little room.
   */
  put(bytes: Uint8Array, like?: string): Promise<string>;
  /** Rejects where there is no such blob, or where what is kept does not hash to its name. */
  get(hash: string): Promise<Uint8Array>;
  has(hash: string): Promise<boolean>;
}
