import { Emitter } from '../../core/base/emitter.ts';
import type { SessionListener } from '../../core/log/log-writer.ts';
import { sessionTitleOf } from '../../core/log/session-title.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { LogWindow } from '../../core/view/log-window.ts';
import type { Delta } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { FeedFilter } from '../feed/session-feed.ts';
import type { FollowedSession } from './followed-session.ts';
import type { OpenSession } from './open-session.ts';
import type { SessionRegistry } from './session-registry.ts';

/** Which session a window shows, so that a reload finds the conversation as it was. */
export interface CurrentSession {
  /** Empty where no session has begun. */
  load(): Promise<string>;
  save(id: string): Promise<void>;
}

/** A long session that has not been read yet. */
export interface Preview {
  readonly id: string;
  readonly title: string;
  readonly end: LogWindow;
  /** From the first time that somebody needs the whole. */
  reading?: Promise<void>;
}

/** One of them, or none where no session has begun. */
export interface Shown {
  readonly session?: OpenSession;
  /** Another window writes it. */
  readonly foreign?: FollowedSession;
  /** What is foreign is a recording that is played. */
  readonly isReplay?: true;
  /** What is foreign was written by a newer version, and is not to be written here. */
  readonly isNewer?: true;
  readonly preview?: Preview;
}

export interface ShownSessionOptions {
  readonly open: Pick<SessionRegistry, 'release' | 'feed'>;
  readonly current: CurrentSession;
  readonly logger: Logger;
}

const EMPTY = new LogWindow();

/** What one panel shows, for those who read it; it holds an open session until another one is shown. */
export class DisplayedSession {
  readonly #options: ShownSessionOptions;
  readonly #changed = new Emitter<void>();
  /** Another session is shown, or the same one in another way. */
  readonly onDidChange = this.#changed.event;
  readonly #accessChanged = new Emitter<void>();
  /** Whether the session that is shown is read-only. */
  readonly onDidChangeAccess = this.#accessChanged.event;
  /** What is shown, for those who follow that. */
  readonly #filter: FeedFilter = { source: undefined };
  #now: Shown = {};
  /** What the next window will find; undefined where that is not known. */
  #remembered: string | undefined;

  constructor(options: ShownSessionOptions) {
    this.#options = options;
  }

  get now(): Shown {
    return this.#now;
  }

  /** Empty where no session has begun. */
  get id(): string {
    const { session, foreign, preview } = this.#now;
    return (session ?? foreign ?? preview)?.id ?? '';
  }

  /** While the session is not read yet: its newest events. Nothing can be done with it then but to show them. */
  get end(): LogWindow | undefined {
    return this.#now.preview?.end;
  }

  /** Folded from its log. */
  get log(): LogWindow {
    return (this.#now.session ?? this.#now.foreign)?.log ?? EMPTY;
  }

  /** Shows this session, and not a recording of it. */
  is(session: string): boolean {
    return this.id === session && !this.isReplay;
  }

  /** What work on the session goes by. Throws where a recording is played, which has the session's name and not its log. */
  get workedOn(): { readonly id: string; readonly log: LogWindow } {
    if (this.isReplay)
      throw new Error(say('What is shown is a recording. Show the session itself to change something.'));
    return { id: this.id, log: this.log };
  }

  /** Empty before the first prompt. */
  get title(): string {
    return this.#options.open.feed.localization.title(
      this.#now.preview?.title ?? sessionTitleOf(this.log.events),
    );
  }

  /** What is still growing, for a page that comes in the middle of a reply. */
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

  /** Follows whatever session is shown. Returns the undo. */
  subscribe(listener: SessionListener): () => void {
    return this.#options.open.feed.subscribe(listener, this.#filter);
  }

  /** The session that was shown here last. Empty where there was none. */
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

  /** A run goes on. */
  dispose(): void {
    this.#filter.source = undefined;
    this.#changed.dispose();
    this.#accessChanged.dispose();
    this.#now.foreign?.close();
    if (this.#now.session) void this.#options.open.release(this.#now.session);
    this.#now = {};
  }

  /** A window that cannot remember works all the same. A recording that is played gives way to what was shown before. */
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
