import type { EventDraft, SessionEvent } from '../../../protocol/events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SessionLog } from '../../ports/event-store.ts';
import { MemoryBlobStore } from '../../ports/memory-blob-store.ts';
import { CHAIN_START, type ChainHead, hashLine, link } from '../../session/chain.ts';

/** A log without a disk that goes on from recorded lines. */
export class LiveLog implements SessionLog {
  readonly id: string;
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[] = [];
  readonly blobs = new MemoryBlobStore();
  readonly trouble = undefined;
  readonly #clock: Clock;
  readonly #onAppend: (events: readonly SessionEvent[]) => void;
  readonly #events: SessionEvent[];
  #head: ChainHead = CHAIN_START;

  constructor(
    id: string,
    past: readonly string[],
    clock: Clock,
    onAppend: (events: readonly SessionEvent[]) => void,
  ) {
    this.id = id;
    this.#clock = clock;
    this.#onAppend = onAppend;
    // Lines of a log that was read before.
    this.past = past.map((line) => JSON.parse(line) as SessionEvent);
    this.#events = [...this.past];
    if (past.length > 0) this.#head = { seq: past.length, hash: hashLine(past.at(-1) ?? '') };
  }

  async append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    const events = drafts.map((draft) => {
      const next = link(this.#head, draft, this.id, this.#clock.now());
      this.#head = next.head;
      return next.event;
    });
    this.#events.push(...events);
    this.#onAppend(events);
    return events;
  }

  async load(first: number, last: number): Promise<readonly SessionEvent[]> {
    return this.#events.slice(first - 1, last);
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}
}
