import type { Entry } from './entry.ts';

/** Where a recording goes. It never throws and makes nobody wait: what it cannot keep ends the recording. */
export interface RecordingSink {
  write(entry: Entry): void;
  /** Bytes that an entry names by their SHA-256; before that entry. Given again, they are kept once. */
  keep(hash: string, bytes: Uint8Array): void;
  /** Something cannot be written down: the recording ends here. */
  fail(error: unknown): void;
}
