import { type EventDraft, LOG_VERSION, type SessionEvent } from '../../protocol/events.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { SessionLog } from '../ports/session-store.ts';
import { MemoryBlobStore } from '../ports/testing/memory-blob-store.ts';
import { CHAIN_START, type ChainHead, hashLine, link } from './hash-chain.ts';

/** The log that a log without a disk continues. */
export interface MemoryPast {
  readonly events: readonly SessionEvent[];
  /** Read-only. */
  readonly blobs: BlobStore;
}

/** A log without a disk. */
export class MemorySessionLog implements SessionLog {
  readonly repairs = [];
  readonly blobs: BlobStore;
  readonly past: readonly SessionEvent[];
  readonly #clock: Clock;
  readonly #events: SessionEvent[];
  #head: ChainHead = CHAIN_START;

  constructor(
    readonly id: string,
    clock: Clock,
    past?: MemoryPast,
  ) {
    this.#clock = clock;
    this.blobs = new MemoryBlobStore(past?.blobs);
    this.#events = [...(past?.events ?? [])];
    if (past) {
      this.past = past.events;
      this.#head = headOf(past.events);
      return;
    }
    this.past = this.#link([{ type: 'session_started', version: LOG_VERSION, cwd: '', product: 'memory' }]);
  }

  get trouble(): string | undefined {
    return undefined;
  }

  keep(bytes: Uint8Array): void {
    void this.blobs.put(bytes);
  }

  async append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    return this.#link(drafts);
  }

  async load(first: number, last: number): Promise<readonly SessionEvent[]> {
    return this.#events.filter(({ seq }) => first <= seq && seq <= last);
  }

  async sync(): Promise<void> {}

  atWork(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}

  #link(drafts: readonly EventDraft[]): SessionEvent[] {
    return drafts.map((draft) => {
      const next = link(this.#head, draft, this.id, this.#clock.now());
      this.#head = next.head;
      this.#events.push(next.event);
      return next.event;
    });
  }
}

function headOf(events: readonly SessionEvent[]): ChainHead {
  const last = events.at(-1);
  return last ? { seq: last.seq, hash: hashLine(JSON.stringify(last)) } : CHAIN_START;
}
