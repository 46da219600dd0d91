import type { Entry } from './entry.ts';

/** Receives a recording. Never throws and never makes the caller wait. A failed write ends the recording. */
export interface RecordingSink {
  write(entry: Entry): void;
  /**
   * Stores bytes under their SHA-256. The caller calls this before it writes the entry that names them. Equal
   * bytes are stored once.
   */
  keep(hash: string, bytes: Uint8Array): void;
  /** Ends the recording, because an entry cannot be recorded. */
  fail(error: unknown): void;
}
