import type { Notices } from '../../core/ports/notices.ts';
import type { SessionEnd, SessionStore } from '../../core/ports/session-store.ts';
import { BusyError } from '../../core/session/session.ts';
import { LogWindow } from '../../core/view/log-window.ts';
import { say } from '../../protocol/say.ts';
import {
  DisplayedSession,
  type SessionPreview,
  type Shown,
  type ShownSessionOptions,
} from './displayed-session.ts';
import { type FollowedSession, followInstead } from './followed-session.ts';
import type { OpenSession } from './open-session.ts';
import type { SessionRegistry } from './session-registry.ts';

export interface SessionControllerOptions extends ShownSessionOptions {
  readonly open: SessionRegistry;
  readonly store: Pick<SessionStore, 'follow' | 'readEnd'>;
  readonly notices: Notices;
}

/** A new session that is being created. */
interface Creation {
  /** The number of callers that wait for it. */
  holders: number;
  readonly session: Promise<OpenSession>;
}

const UNREAD: SessionEnd = { title: '', events: [] };

/**
 * Controls which session one panel shows: open for writing, read-only because another process writes it, or
 * none yet.
 */
export class SessionController {
  readonly #options: SessionControllerOptions;
  /** The shown session, to read and to subscribe to. */
  readonly shown: DisplayedSession;
  #creation: Creation | undefined;
  /** Counts the requests to show a session. The last request wins. */
  #asked = 0;

  constructor(options: SessionControllerOptions) {
    this.#options = options;
    this.shown = new DisplayedSession(options);
    this.shown.onDidChangeAccess(() => void this.#endDeadRun());
  }

  get busy(): boolean {
    return this.#creation !== undefined || (this.shown.now.session?.busy ?? false);
  }

  /** Shows the session that was shown last, if there is one. */
  async restore(): Promise<void> {
    const id = await this.shown.recall();
    if (id) await this.#show(id, this.#ask()).catch((error: unknown) => this.#giveUp(id, error));
  }

  /**
   * Shows a session, read-only if another process writes it. Shows only the end of a long session; `whole`
   * reads the rest. Rejects if the session does not exist.
   */
  async show(id: string): Promise<void> {
    const isLatest = this.#ask();
    if (id !== this.shown.id || this.shown.readOnly) await this.#show(id, isLatest);
  }

  /** Shows a recorded session during its replay and after it. */
  async showReplay(foreign: FollowedSession): Promise<void> {
    this.#ask();
    await this.shown.replace({ foreign, isReplay: true });
  }

  /**
   * Resolves with what is shown, read whole. Resolves with undefined if `id` is given and that session is not
   * shown, or no longer.
   */
  async resolve(id?: string): Promise<Shown | undefined> {
    const isShown = () => id === undefined || id === this.shown.id;
    if (this.shown.now.preview && isShown()) await this.whole();
    return isShown() ? this.shown.now : undefined;
  }

  /** Resolves when the shown session is read whole. */
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

  async #read(preview: SessionPreview): Promise<void> {
    const isShown = () => this.shown.now.preview === preview;
    await this.#open(preview.id, isShown).catch(async (error: unknown) => {
      if (!isShown()) return;
      this.#options.notices.warn(say('Could not open {0}: {1.}', preview.title, messageOf(error)));
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

  /** Logs why the session was not opened, and shows nothing. */
  async #giveUp(id: string, error: unknown): Promise<void> {
    this.#options.logger.warn(`The session “${id}” was not opened: ${String(error)}`);
    await this.shown.replace({});
  }

  /** Shows nothing. The next prompt begins a new session. */
  async startNew(): Promise<void> {
    this.#ask();
    await this.shown.replace({});
  }

  /**
   * Runs `work` in the shown session, or in a new one if none is shown. The session stays open until `work`
   * settles, even if the panel shows another one. Rejects with `SessionBusyError`, or if the log cannot be
   * written.
   */
  async use<Result>(work: (session: OpenSession) => Promise<Result>): Promise<Result> {
    return this.#within(await this.#begin(), work);
  }

  /**
   * Runs `work` in a new session that begins with the events before event `before`. Shows it, unless another
   * request came meanwhile. Rejects with `BusyError`.
   */
  async fork<Result>(before: number, work: (session: OpenSession) => Promise<Result>): Promise<Result> {
    if (this.busy) throw new BusyError();
    return this.#within(await this.#fork(this.shown.id, before), work);
  }

  /** Forks session `from`, whose run continues, and shows the fork. Resolves with the fork's id. */
  async branch(from: string, before: number): Promise<string> {
    return this.#within(await this.#fork(from, before), async ({ id }) => id);
  }

  /** The session's run continues. */
  dispose(): void {
    this.#ask();
    this.shown.dispose();
  }

  /** Registers a request to show something. The result says whether it is still the latest one. */
  #ask(): () => boolean {
    this.#asked += 1;
    this.#creation = undefined;
    const asked = this.#asked;
    return () => asked === this.#asked;
  }

  /** The caller must release the result. */
  async #fork(from: string, before: number): Promise<OpenSession> {
    const { open } = this.#options;
    const isLatest = this.#ask();
    const session = await open.fork(from, before);
    if (isLatest()) await this.shown.replace({ session: open.share(session) });
    return session;
  }

  /** The caller must release the result. */
  async #begin(): Promise<OpenSession> {
    const { open } = this.#options;
    if (this.shown.now.preview) await this.whole();
    const { session, foreign } = this.shown.now;
    // `workedOn` throws during a replay.
    if (foreign) return this.#takeOver(foreign, this.shown.workedOn.id);
    if (session) return open.share(session);
    const creation = this.#creation ?? this.#create();
    creation.holders += 1;
    return creation.session;
  }

  /**
   * Opens for writing what another process wrote. The caller must release the result. Rejects with
   * `SessionBusyError` while a process writes it.
   */
  async #takeOver(foreign: FollowedSession, id: string): Promise<OpenSession> {
    const { open } = this.#options;
    const session = await open.hold(id);
    if (this.shown.now.foreign === foreign) await this.shown.replace({ session: open.share(session) });
    return session;
  }

  /**
   * Ends a run whose process died: opening the session writes the end of the run. If another process opens it
   * first, only logs that.
   */
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

  /** Holds a new session for each waiting caller. Shows it, unless another request came meanwhile. */
  async #take(creation: Creation, session: OpenSession, isLatest: () => boolean): Promise<OpenSession> {
    const { open } = this.#options;
    for (let holder = 0; holder < creation.holders; holder += 1) open.share(session);
    if (isLatest()) await this.shown.replace({ session });
    else void open.release(session);
    return session;
  }

  /** Releases `session` when `work` settles. */
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
