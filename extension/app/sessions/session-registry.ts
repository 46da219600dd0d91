import { Emitter } from '../../core/base/emitter.ts';
import { Mutex } from '../../core/base/mutex.ts';
import type { SessionLog, SessionStore } from '../../core/ports/session-store.ts';
import type { Root } from '../../core/ports/workspace.ts';
import { Session } from '../../core/session/session.ts';
import type { SessionPorts } from '../../core/session/session-ports.ts';
import type { SessionFeed } from '../feed/session-feed.ts';
import type { Opened, SessionRecordings } from '../recordings/session-recordings.ts';
import { OpenSession, type OpenSessionOptions } from './open-session.ts';

export interface OpenSessionsOptions extends OpenSessionOptions {
  readonly store: SessionStore;
  readonly ports: SessionPorts;
  readonly product: string;
  readonly recordings: Pick<SessionRecordings, 'begin'>;
}

/**
 * The sessions that this process writes. Each is open once, however many panels hold it. A session without a
 * holder stays open until its run and its background commands have ended, so they continue when its panel shows
 * something else.
 */
export class SessionRegistry {
  readonly #options: OpenSessionsOptions;
  /** Carries the events of these sessions and of followed ones. */
  readonly feed: SessionFeed;
  readonly #holders = new Map<OpenSession, number>();
  readonly #recordings = new WeakMap<OpenSession, Opened>();
  readonly #changed = new Emitter<void>();
  /** Fires when a session was opened or closed. */
  readonly onDidChange = this.#changed.event;
  readonly #closed = new Emitter<void>();
  readonly onDidClose = this.#closed.event;
  /** Serializes opening and closing, so that no session is opened twice or while it closes. */
  readonly #turns = new Mutex();

  constructor(options: OpenSessionsOptions) {
    this.#options = options;
    this.feed = options.feed;
  }

  /** In the order in which they were opened. */
  get all(): readonly OpenSession[] {
    return [...this.#holders.keys()];
  }

  get running(): readonly OpenSession[] {
    return this.all.filter(({ busy }) => busy);
  }

  /** The folders that all sessions work in. */
  get roots(): readonly Root[] {
    return this.#options.ports.workspace.roots;
  }

  find(id: string): OpenSession | undefined {
    return this.all.find((session) => session.id === id);
  }

  /**
   * Finds or opens a session. The caller must `release` it. Rejects with `SessionBusyError` if another
   * process writes it, or if it does not exist.
   */
  hold(id: string): Promise<OpenSession> {
    return this.#turns.take(async () => {
      const open = this.find(id);
      return open ? this.#held(open) : this.#open(await this.#options.store.open(id));
    });
  }

  /** Adds a holder to a session that is already held. That holder must `release` it. */
  share(session: OpenSession): OpenSession {
    return this.#held(session);
  }

  /** Creates a session. The caller must `release` it. */
  create(): Promise<OpenSession> {
    return this.#turns.take(async () => this.#open(await this.#options.store.create(this.#start())));
  }

  /**
   * Creates a session that begins with the events of session `id` before event `before`. The caller must
   * `release` it.
   */
  fork(id: string, before: number): Promise<OpenSession> {
    return this.#turns.take(async () =>
      this.#open(await this.#options.store.fork(id, before, this.#start())),
    );
  }

  /**
   * Forks like `fork` but does not keep the new session open: another window opens it, in the folder `cwd`,
   * or this one does later. Resolves with its id.
   */
  async forkAside(
    id: string,
    before: number,
    changes: { readonly cwd?: string; readonly toModel?: string } = {},
  ): Promise<string> {
    const log = await this.#options.store.fork(id, before, { ...this.#start(), ...changes });
    await log.close();
    return log.id;
  }

  /** Removes one holder. Closes a resting session without holders, then resolves. */
  release(session: OpenSession): Promise<void> {
    const holders = this.#holders.get(session);
    if (holders !== undefined) this.#holders.set(session, holders - 1);
    return this.#turns.take(() => this.#closeUnused(session));
  }

  /** Ends what session `id` runs in the background. Rejects with `SessionBusyError`. */
  async endBackground(id: string): Promise<void> {
    const session = await this.hold(id);
    try {
      await session.core.endBackground();
    } finally {
      await this.release(session);
    }
  }

  /** Resolves when the closing of released sessions is done. */
  async settle(): Promise<void> {
    await this.#turns.take(async () => {});
  }

  /** Like `close`, but logs the error instead of rejecting. */
  async dispose(): Promise<void> {
    await this.close().catch((error: unknown) => this.#options.ports.logger.error(String(error)));
  }

  /** Stops all runs and closes all sessions. Then rejects if a session could not write its last events. */
  async close(): Promise<void> {
    const closed = await this.#turns.take(async () => {
      const closing = await Promise.allSettled(this.all.map((session) => this.#close(session)));
      this.#holders.clear();
      return closing;
    });
    this.#changed.dispose();
    this.#closed.dispose();
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  }

  async #open(log: SessionLog): Promise<OpenSession> {
    const opened = await this.#options.recordings.begin(log, this.#options.ports).catch(letGo(log));
    const begun = await Session.open(opened.log, opened.ports).catch(letGo(opened));
    const session = new OpenSession(begun, this.#options);
    this.#recordings.set(session, opened);
    session.onDidRest(() => void this.#turns.take(() => this.#closeUnused(session)));
    this.#held(session);
    this.#changed.fire();
    return session;
  }

  #held(session: OpenSession): OpenSession {
    this.#holders.set(session, (this.#holders.get(session) ?? 0) + 1);
    return session;
  }

  async #closeUnused(session: OpenSession): Promise<void> {
    if (!session.isResting || !session.isQuiet || this.#holders.get(session) !== 0) return;
    this.#holders.delete(session);
    // The session itself reported unwritten events when writing began to fail.
    await this.#close(session).catch((error: unknown) => this.#options.ports.logger.error(String(error)));
    this.#changed.fire();
    this.#closed.fire();
  }

  async #close(session: OpenSession): Promise<void> {
    try {
      await session.close();
    } finally {
      await this.#recordings.get(session)?.close();
    }
  }

  /** The values with which a new log begins. */
  #start(): { cwd: string; product: string } {
    const { ports, product } = this.#options;
    return { cwd: ports.workspace.roots[0]?.path ?? '', product };
  }
}

/** Closes `held` after a failure, so that the next attempt can open it. */
function letGo(held: { close(): Promise<void> }): (error: unknown) => Promise<never> {
  return async (error) => {
    await held.close().catch(() => undefined);
    throw error;
  };
}
