import type { SessionListener } from '../../core/log/log-writer.ts';
import type { Localization } from '../../core/ports/localization.ts';
import type { Delta } from '../../protocol/delta.ts';
import type { SessionEvent } from '../../protocol/events.ts';

/** A session whose events pass the feed. Its id does not identify it: a replay has the id of its session. */
export interface FeedSource {
  readonly id: string;
}

/** The session that a subscriber follows. Undefined for none. It may change during the subscription. */
export interface FeedFilter {
  source: FeedSource | undefined;
}

interface Subscriber {
  readonly listener: SessionListener;
  readonly filter: FeedFilter | undefined;
}

/**
 * Carries the events of all sessions that this process has open or follows. Every view of a session
 * subscribes here.
 */
export class SessionFeed {
  /** Sources localize events with this before they emit them. */
  readonly localization: Localization;
  readonly #subscribers = new Set<Subscriber>();

  constructor(localization: Localization) {
    this.localization = localization;
  }

  /** Follows every session, or only the one in `filter`. Returns a function that unsubscribes. */
  subscribe(listener: SessionListener, filter?: FeedFilter): () => void {
    const subscriber = { listener, filter };
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  events(source: FeedSource, events: readonly SessionEvent[]): void {
    for (const { listener, filter } of this.#subscribers)
      if (!filter || filter.source === source) listener.onEvents?.(events);
  }

  delta(source: FeedSource, delta: Delta): void {
    for (const { listener, filter } of this.#subscribers)
      if (!filter || filter.source === source) listener.onDelta?.(delta);
  }
}
