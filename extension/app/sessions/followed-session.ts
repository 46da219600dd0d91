import { Emitter } from '../../core/base/emitter.ts';
import {
  type FollowedLog,
  NewerLogError,
  SessionBusyError,
  type SessionStore,
} from '../../core/ports/session-store.ts';
import { LogWindow } from '../../core/view/log-window.ts';
import type { Delta } from '../../protocol/delta.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import type { SessionFeed } from '../feed/session-feed.ts';

/** A session that another process writes, followed as its log grows. */
export class FollowedSession {
  readonly id: string;
  /** The log with localized events. */
  readonly log: LogWindow;
  readonly #followed: FollowedLog;
  readonly #feed: SessionFeed;
  readonly #freed = new Emitter<void>();
  /** Fires when `isFree` changes. */
  readonly onDidChangeHolder = this.#freed.event;
  #isFree = false;

  /** Rejects if the session does not exist. */
  static async follow(
    id: string,
    store: Pick<SessionStore, 'follow'>,
    feed: SessionFeed,
  ): Promise<FollowedSession> {
    let session: FollowedSession | undefined;
    const early: SessionEvent[] = [];
    let isFree = false;
    const setFree = (isNow: boolean) => {
      isFree = isNow;
      if (session) session.#setFree(isNow);
    };
    const followed = await store.follow(id, {
      onEvents: (events) => (session ? session.#take(events) : early.push(...events)),
      onHeld: (isHeld) => setFree(!isHeld),
    });
    session = new FollowedSession(id, followed, feed);
    session.#take(early);
    setFree(isFree);
    return session;
  }

  private constructor(id: string, followed: FollowedLog, feed: SessionFeed) {
    this.id = id;
    this.#followed = followed;
    this.#feed = feed;
    const { localization } = feed;
    this.log = new LogWindow(localization.events(followed.past), async (first, last) =>
      localization.events(await followed.load(first, last)),
    );
  }

  /** No process writes the session, so this process can open it. */
  get isFree(): boolean {
    return this.#isFree;
  }

  close(): void {
    this.#followed.close();
    this.#freed.dispose();
  }

  /** Emits a delta. Only a replay calls this, because a followed log has no deltas. */
  emitDelta(delta: Delta): void {
    this.#feed.delta(this, delta);
  }

  #take(events: readonly SessionEvent[]): void {
    const fresh = this.#feed.localization.events(events);
    this.log.apply(fresh);
    this.#feed.events(this, fresh);
  }

  #setFree(isFree: boolean): void {
    if (isFree === this.#isFree) return;
    this.#isFree = isFree;
    this.#freed.fire();
  }
}

/**
 * Follows session `id` read-only if `error` says that it must not be written here. Otherwise rejects with
 * `error`.
 */
export async function followInstead(
  id: string,
  error: unknown,
  store: Pick<SessionStore, 'follow'>,
  feed: SessionFeed,
): Promise<{ readonly foreign: FollowedSession; readonly isNewer?: true }> {
  const isNewer = error instanceof NewerLogError;
  if (!isNewer && !(error instanceof SessionBusyError)) throw error;
  const foreign = await FollowedSession.follow(id, store, feed);
  return isNewer ? { foreign, isNewer } : { foreign };
}
