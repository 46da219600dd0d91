import type { Entry } from './entry.ts';
import type { RecordingSink } from './recording-sink.ts';

/** A recording without a disk. */
export class MemoryRecording implements RecordingSink {
  readonly entries: Entry[] = [];
  readonly blobs = new Map<string, Uint8Array>();
  /** Why it has ended before its session. */
  failure: unknown;

  write(entry: Entry): void {
    // What is written down does not change with what it was made from.
    this.entries.push(JSON.parse(JSON.stringify(entry)));
  }

  keep(hash: string, bytes: Uint8Array): void {
    if (!this.blobs.has(hash)) this.blobs.set(hash, new Uint8Array(bytes));
  }

  fail(error: unknown): void {
    this.failure ??= error;
  }

  /** Rejects where there is none. */
  async fetch(hash: string): Promise<Uint8Array> {
    const bytes = this.blobs.get(hash);
    if (!bytes) throw new Error(`no blob ${hash}`);
    return bytes;
  }
}
