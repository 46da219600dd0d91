import type { Entry } from './entry.ts';
import type { RecordingSink } from './recording-sink.ts';

/** A recording in memory. */
export class MemoryRecording implements RecordingSink {
  readonly entries: Entry[] = [];
  readonly blobs = new Map<string, Uint8Array>();
  /** Why the recording ended before its session did. */
  failure: unknown;

  write(entry: Entry): void {
    // Copies the entry, because the caller may change the objects in it later.
    this.entries.push(JSON.parse(JSON.stringify(entry)));
  }

  keep(hash: string, bytes: Uint8Array): void {
    if (!this.blobs.has(hash)) this.blobs.set(hash, new Uint8Array(bytes));
  }

  fail(error: unknown): void {
    this.failure ??= error;
  }

  /** Rejects if there is no such blob. */
  async fetch(hash: string): Promise<Uint8Array> {
    const bytes = this.blobs.get(hash);
    if (!bytes) throw new Error(`no blob ${hash}`);
    return bytes;
  }
}
