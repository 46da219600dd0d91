import { Emitter } from '../../core/base/emitter.ts';
import type { SessionListener } from '../../core/log/log-writer.ts';
import { sessionTitleOf } from '../../core/log/session-title.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { LogWindow } from '../../core/view/log-window.ts';
import type { Delta } from '../../protocol/delta.ts';
import { say } from '../../protocol/say.ts';
import type { FeedFilter } from '../feed/session-feed.ts';
import type { FollowedSession } from './followed-session.ts';
import type { OpenSession } from './open-session.ts';
import type { SessionRegistry } from './session-registry.ts';

/** Stores which session a window shows, so that a reload shows it again. */
export interface CurrentSession {
  /** Resolves with '' if no session has begun. */
  load(): Promise<string>;
  save(id: string): Promise<void>;
}

/** A long session of which only the newest events have been read. */
export interface SessionPreview {
  readonly id: string;
  readonly title: string;
  readonly end: LogWindow;
  /** The read of the whole session. Set when a caller first needs it. */
  reading?: Promise<void>;
}

/** What a panel shows: `session`, `foreign` or `preview`, or nothing if no session has begun. */
export interface Shown {
  readonly session?: OpenSession;
  /** A session that this process follows read-only. */
  readonly foreign?: FollowedSession;
  /** `foreign` is a recording that is being replayed. */
  readonly isReplay?: true;
  /** A newer version of Harness wrote `foreign`. This version must not write to it. */
  readonly isNewer?: true;
  readonly preview?: SessionPreview;
}

export interface ShownSessionOptions {
  readonly open: Pick<SessionRegistry, 'release' | 'feed'>;
  readonly current: CurrentSession;
  readonly logger: Logger;
}

const EMPTY = new LogWindow();

/** The session that one panel shows, for readers. Keeps it open until the panel shows another one. */
export class DisplayedSession {
  readonly #options: ShownSessionOptions;
  readonly #changed = new Emitter<void>();
  /** Fires when the panel shows another session, or the same one in another way (now writable). */
  readonly onDidChange = this.#changed.event;
  readonly #accessChanged = new Emitter<void>();
  /** Fires when the shown session becomes read-only or writable. */
  readonly onDidChangeAccess = this.#accessChanged.event;
  /** Selects the shown session for `subscribe`. `replace` updates it. */
  readonly #filter: FeedFilter = { source: undefined };
  #now: Shown = {};
  /** The id that `current` stores. Undefined if it is unknown. */
  #remembered: string | undefined;

  constructor(options: ShownSessionOptions) {
    this.#options = options;
  }

  get now(): Shown {
    return this.#now;
  }

  /** Empty if no session has begun. */
  get id(): string {
    const { session, foreign, preview } = this.#now;
    return (session ?? foreign ?? preview)?.id ?? '';
  }

  /** The newest events of a session that is not read whole. Until then, the panel can only show them. */
  get end(): LogWindow | undefined {
    return this.#now.preview?.end;
  }

  /** The log of the shown session. Empty for a preview. */
  get log(): LogWindow {
    return (this.#now.session ?? this.#now.foreign)?.log ?? EMPTY;
  }

  /** Whether the panel shows this session itself, not a replay of it. */
  is(session: string): boolean {
    return this.id === session && !this.isReplay;
  }

  /** Id and log for work on the session. Throws during a replay, which does not have the session's log. */
  get workedOn(): { readonly id: string; readonly log: LogWindow } {
    if (this.isReplay) throw new Error(say('This is a recording. Open the session itself to make changes.'));
    return { id: this.id, log: this.log };
  }

  /** Empty before the first prompt. */
  get title(): string {
    return this.#options.open.feed.localization.title(
      this.#now.preview?.title ?? sessionTitleOf(this.log.events),
    );
  }

  /** The deltas of blocks that still grow, for a page that starts during a reply. */
  get live(): readonly Delta[] {
    return this.#now.session?.live ?? [];
  }

  get readOnly(): boolean {
    return this.#now.foreign?.isFree === false;
  }

  get isReplay(): boolean {
    return this.#now.isReplay ?? false;
  }

  get isNewer(): boolean {
    return this.#now.isNewer ?? false;
  }

  /** Follows the session that is shown at each time. Returns a function that unsubscribes. */
  subscribe(listener: SessionListener): () => void {
    return this.#options.open.feed.subscribe(listener, this.#filter);
  }

  /** Loads the id of the session that was shown last. Empty if there was none. */
  async recall(): Promise<string> {
    const id = await this.#options.current.load();
    this.#remembered = id;
    return id;
  }

  async replace(shown: Shown): Promise<void> {
    const { session, foreign } = this.#now;
    this.#now = shown;
    this.#filter.source = shown.session ?? shown.foreign;
    shown.foreign?.onDidChangeHolder(() => this.#accessChanged.fire());
    if (foreign !== shown.foreign) foreign?.close();
    await Promise.all([session && this.#options.open.release(session), this.#remember()]);
    this.#changed.fire();
  }

  /** Stops showing the session. Its run continues. */
  dispose(): void {
    this.#filter.source = undefined;
    this.#changed.dispose();
    this.#accessChanged.dispose();
    this.#now.foreign?.close();
    if (this.#now.session) void this.#options.open.release(this.#now.session);
    this.#now = {};
  }

  /**
   * Saves the shown id. If that fails, only logs it. Does not save a replay, so a reload shows the previous
   * session.
   */
  async #remember(): Promise<void> {
    if (this.isReplay || this.id === this.#remembered) return;
    const { current, logger } = this.#options;
    this.#remembered = this.id;
    await current.save(this.id).catch((error: unknown) => {
      this.#remembered = undefined;
      logger.warn(`After a reload this session will have to be opened again: ${String(error)}`);
    });
  }
}
