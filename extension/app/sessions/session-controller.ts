import type { Notices } from '../../core/ports/notices.ts';
import type { SessionEnd, SessionStore } from '../../core/ports/session-store.ts';
import { BusyError } from '../../core/session/session.ts';
import { LogWindow } from '../../core/view/log-window.ts';
import { say } from '../../protocol/say.ts';
import { DisplayedSession, type Preview, type Shown, type ShownSessionOptions } from './displayed-session.ts';
import { type FollowedSession, followInstead } from './followed-session.ts';
import type { OpenSession } from './open-session.ts';
import type { SessionRegistry } from './session-registry.ts';

export interface SessionControllerOptions extends ShownSessionOptions {
  readonly open: SessionRegistry;
  readonly store: Pick<SessionStore, 'follow' | 'readEnd'>;
  readonly notices: Notices;
}

/** A new session that is being made. */
interface Creation {
  /** Those who wait for it. */
  holders: number;
  readonly session: Promise<OpenSession>;
}

const UNREAD: SessionEnd = { title: '', events: [] };

/** The conversation that one panel shows: open for writing, read-only because another window writes it, or none yet. */
export class SessionController {
  readonly #options: SessionControllerOptions;
  /** What it shows, to be read and followed. */
  readonly shown: DisplayedSession;
  #creation: Creation | undefined;
  /** Counts what the panel was asked to show: the last one wins. */
  #asked = 0;

  constructor(options: SessionControllerOptions) {
    this.#options = options;
    this.shown = new DisplayedSession(options);
    this.shown.onDidChangeAccess(() => void this.#endDeadRun());
  }

  get busy(): boolean {
    return this.#creation !== undefined || (this.shown.now.session?.busy ?? false);
  }

  /** Shows the session that was shown here last, if there is one. */
  async restore(): Promise<void> {
    const id = await this.shown.recall();
    if (id) await this.#show(id, this.#ask()).catch((error: unknown) => this.#giveUp(id, error));
  }

  /**
   * Shows a session; read-only where another window writes it. Of a long one the end is shown, and the rest by `whole`.
   * Rejects where there is none.
   */
  async show(id: string): Promise<void> {
    const isLatest = this.#ask();
    if (id !== this.shown.id || this.shown.readOnly) await this.#show(id, isLatest);
  }

  /** Shows a recorded session while it is played, and what came of it. */
  async showReplay(foreign: FollowedSession): Promise<void> {
    this.#ask();
    await this.shown.replace({ foreign, isReplay: true });
  }

  /** What is shown, read whole. Undefined where session `id`, if one is named, is not shown, or not any more. */
  async resolve(id?: string): Promise<Shown | undefined> {
    const isShown = () => id === undefined || id === this.shown.id;
    if (this.shown.now.preview && isShown()) await this.whole();
    return isShown() ? this.shown.now : undefined;
  }

  /** Resolves when nothing is missing any more of the session that is shown. */
  async whole(): Promise<void> {
    for (let { preview } = this.shown.now; preview; { preview } = this.shown.now) {
      preview.reading ??= this.#read(preview);
      await preview.reading;
    }
  }

  async #show(id: string, isLatest: () => boolean): Promise<void> {
    const { open, store } = this.#options;
    const { title, events } = open.find(id) ? UNREAD : await store.readEnd(id);
    if (events.length === 0) await this.#open(id, isLatest);
    else if (isLatest())
      await this.shown.replace({
        preview: { id, title, end: new LogWindow(open.feed.localization.events(events)) },
      });
  }

  async #read(preview: Preview): Promise<void> {
    const isShown = () => this.shown.now.preview === preview;
    await this.#open(preview.id, isShown).catch(async (error: unknown) => {
      if (!isShown()) return;
      this.#options.notices.warn(say('{0} was not opened: {1.}', preview.title, messageOf(error)));
      await this.#giveUp(preview.id, error);
    });
  }

  async #open(id: string, isWanted: () => boolean): Promise<void> {
    const { open, store } = this.#options;
    const shown: Shown = await open.hold(id).then(
      (session) => ({ session }),
      (error: unknown) => followInstead(id, error, store, open.feed),
    );
    if (isWanted()) await this.shown.replace(shown);
    else if (shown.session) await open.release(shown.session);
    else shown.foreign?.close();
  }

  /** Nothing is shown any more where a session was to be. */
  async #giveUp(id: string, error: unknown): Promise<void> {
    this.#options.logger.warn(`The session “${id}” was not opened: ${String(error)}`);
    await this.shown.replace({});
  }

  /** The next prompt begins a new session. */
  async startNew(): Promise<void> {
    this.#ask();
    await this.shown.replace({});
  }

  /**
   * Works in the session that is shown, or in a new one, which stays open until that is done, whatever is shown meanwhile.
   * Rejects with `SessionBusyError`, or where its log cannot be written.
   */
  async use<Result>(work: (session: OpenSession) => Promise<Result>): Promise<Result> {
    return this.#within(await this.#begin(), work);
  }

  /**
   * Works in a new session that begins with the events before event `before`. It is shown, unless something else was asked
   * for meanwhile. Rejects with `BusyError`.
   */
  async fork<Result>(before: number, work: (session: OpenSession) => Promise<Result>): Promise<Result> {
    if (this.busy) throw new BusyError();
    return this.#within(await this.#fork(this.shown.id, before), work);
  }

  /** The same from any session, whose run goes on, and without work. Resolves with the new one's id. */
  async branch(from: string, before: number): Promise<string> {
    return this.#within(await this.#fork(from, before), async ({ id }) => id);
  }

  /** A run goes on. */
  dispose(): void {
    this.#ask();
    this.shown.dispose();
  }

  /** Returns whether nothing else was asked for since. */
  #ask(): () => boolean {
    this.#asked += 1;
    this.#creation = undefined;
    const asked = this.#asked;
    return () => asked === this.#asked;
  }

  /** For a holder. */
  async #fork(from: string, before: number): Promise<OpenSession> {
    const { open } = this.#options;
    const isLatest = this.#ask();
    const session = await open.fork(from, before);
    if (isLatest()) await this.shown.replace({ session: open.share(session) });
    return session;
  }

  /** For a holder. */
  async #begin(): Promise<OpenSession> {
    const { open } = this.#options;
    if (this.shown.now.preview) await this.whole();
    const { session, foreign } = this.shown.now;
    // Throws where a recording is played.
    if (foreign) return this.#takeOver(foreign, this.shown.workedOn.id);
    if (session) return open.share(session);
    const creation = this.#creation ?? this.#create();
    creation.holders += 1;
    return creation.session;
  }

  /** What another window wrote, and writes no more, is opened here. Rejects with `SessionBusyError` while it does. */
  async #takeOver(foreign: FollowedSession, id: string): Promise<OpenSession> {
    const { open } = this.#options;
    const session = await open.hold(id);
    if (this.shown.now.foreign === foreign) await this.shown.replace({ session: open.share(session) });
    return session;
  }

  /** Whoever wrote it has died within a run: opening it writes the end of that, unless another window does. */
  async #endDeadRun(): Promise<void> {
    const { foreign } = this.shown.now;
    if (!foreign?.isFree || this.shown.isReplay || !foreign.log.head.run.busy) return;
    await this.#takeOver(foreign, foreign.id)
      .then((session) => this.#options.open.release(session))
      .catch((error: unknown) => this.#options.logger.warn(messageOf(error)));
  }

  #create(): Creation {
    const isLatest = this.#ask();
    const session = this.#options.open
      .create()
      .then((created) => this.#take(creation, created, isLatest))
      .finally(() => {
        if (this.#creation === creation) this.#creation = undefined;
      });
    const creation: Creation = { holders: 0, session };
    this.#creation = creation;
    return creation;
  }

  /** Holds a new session for those who wait for it, and shows it, unless something else was asked for meanwhile. */
  async #take(creation: Creation, session: OpenSession, isLatest: () => boolean): Promise<OpenSession> {
    const { open } = this.#options;
    for (let holder = 0; holder < creation.holders; holder += 1) open.share(session);
    if (isLatest()) await this.shown.replace({ session });
    else void open.release(session);
    return session;
  }

  /** `session` is released in the end. */
  async #within<Result>(
    session: OpenSession,
    work: (session: OpenSession) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work(session);
    } finally {
      void this.#options.open.release(session);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
