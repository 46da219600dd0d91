import type { SessionListener } from '../../core/log/log-writer.ts';
import type { Localization } from '../../core/ports/localization.ts';
import type { Delta, SessionEvent } from '../../protocol/events.ts';

/** A session whose events pass the feed. Its id does not name it: a recording that is played has the id of its session. */
export interface FeedSource {
  readonly id: string;
}

/** Which session a subscriber follows; undefined for none. It may change while the subscription lasts. */
export interface FeedFilter {
  source: FeedSource | undefined;
}

interface Subscriber {
  readonly listener: SessionListener;
  readonly filter: FeedFilter | undefined;
}

/** What happens in all sessions that this process has open or follows. Whatever shows a session subscribes here. */
export class SessionFeed {
  /** The language in which the events pass. */
  readonly localization: Localization;
  readonly #subscribers = new Set<Subscriber>();

  constructor(localization: Localization) {
    this.localization = localization;
  }

  /** Follows every session, or the one in `filter`. Returns the undo. */
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
