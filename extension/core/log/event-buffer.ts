import type { SessionEvent } from '../../protocol/events.ts';
import { elide, SHORT, sizeOf } from './elide.ts';

/** Characters of the newest events that always stay whole: more than the panel shows or gets at once. */
export const ALWAYS = 2_000_000;
/**
 * Characters of events since the last compaction that stay whole: about four million tokens. No model takes
 * that many, so every request is exact.
 */
export const MOST = 16_000_000;

/** The events of a session in order: the newest ones whole, the older ones elided. */
export class EventBuffer {
  readonly #events: SessionEvent[] = [];
  readonly #sizes: number[] = [];
  /** Index of the oldest whole event, and the number of characters from it on. */
  #whole = 0;
  #size = 0;
  /** Index of the last compaction. */
  #compaction = 0;

  /** The same array each time. */
  get all(): readonly SessionEvent[] {
    return this.#events;
  }

  /** `size` in characters, if the caller knows it. */
  push(event: SessionEvent, size = sizeOf(event)): void {
    if (event.type === 'compaction') this.#compaction = this.#events.length;
    this.#events.push(event);
    this.#sizes.push(size);
    this.#size += size;
    while (this.#whole < this.#events.length - 1 && this.#size > this.#limit) this.#elideOldest();
  }

  get #limit(): number {
    return this.#whole < this.#compaction ? ALWAYS : MOST;
  }

  #elideOldest(): void {
    const oldest = this.#events[this.#whole];
    const size = this.#sizes[this.#whole] ?? 0;
    if (oldest && size > SHORT) this.#events[this.#whole] = elide(oldest);
    this.#size -= size;
    this.#whole += 1;
  }
}
