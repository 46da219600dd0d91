/** Bytes of one session, each named by its SHA-256 (hex) and stored once. */
export interface BlobStore {
  /**
   * Resolves with the name when the bytes would survive a power loss, so that an event may name them. Rejects
   * if they could not be written. `like` names an earlier version of the same file, from which the store may
   * delta-encode.
   */
  put(bytes: Uint8Array, like?: string): Promise<string>;
  /** Rejects if the blob is missing or its bytes do not hash to its name. */
  get(hash: string): Promise<Uint8Array>;
  has(hash: string): Promise<boolean>;
}
