import { type EventDraft, LOG_VERSION, type SessionEvent } from '../../protocol/events.ts';
import { CHAIN_START, type ChainHead, link } from '../session/chain.ts';
import type { Clock } from './clock.ts';
import type { SessionLog } from './event-store.ts';
import { MemoryBlobStore } from './memory-blob-store.ts';

/** A log without a disk. */
export class MemorySessionLog implements SessionLog {
  readonly repairs = [];
  readonly blobs = new MemoryBlobStore();
  readonly past: readonly SessionEvent[];
  readonly #clock: Clock;
  readonly #events: SessionEvent[] = [];
  #head: ChainHead = CHAIN_START;

  constructor(
    readonly id: string,
    clock: Clock,
  ) {
    this.#clock = clock;
    this.past = this.#link([{ type: 'session_started', version: LOG_VERSION, cwd: '', product: 'memory' }]);
  }

  get trouble(): string | undefined {
    return undefined;
  }

  async append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    return this.#link(drafts);
  }

  async load(first: number, last: number): Promise<readonly SessionEvent[]> {
    return this.#events.filter(({ seq }) => first <= seq && seq <= last);
  }

  async sync(): Promise<void> {}

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
