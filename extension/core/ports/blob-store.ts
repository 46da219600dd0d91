/** Bytes of one session, each named by its SHA-256 (hex) and kept once. */
export interface BlobStore {
  /** Resolves with the name when the bytes would survive the death of this process; rejects where they could not be written. */
  put(bytes: Uint8Array): Promise<string>;
  /** Rejects where there is no such blob, or where what is kept does not hash to its name. */
  get(hash: string): Promise<Uint8Array>;
  has(hash: string): Promise<boolean>;
}
