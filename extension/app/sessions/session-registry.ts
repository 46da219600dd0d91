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
 * The sessions that this window writes: each once, however many panels hold it. One that nobody holds stays open until
 * its run has ended, so a run goes on when its panel shows something else.
 */
export class SessionRegistry {
  readonly #options: OpenSessionsOptions;
  /** What happens in them, and in those that are followed. */
  readonly feed: SessionFeed;
  readonly #holders = new Map<OpenSession, number>();
  readonly #recordings = new WeakMap<OpenSession, Opened>();
  readonly #changed = new Emitter<void>();
  /** One was opened or closed. */
  readonly onDidChange = this.#changed.event;
  readonly #closed = new Emitter<void>();
  readonly onDidClose = this.#closed.event;
  /** None is opened twice, or while it is being closed. */
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

  /** The folders that all of them work in. */
  get roots(): readonly Root[] {
    return this.#options.ports.workspace.roots;
  }

  find(id: string): OpenSession | undefined {
    return this.all.find((session) => session.id === id);
  }

  /** For a holder, who must `release` it. Rejects with `SessionBusyError` where another window writes it, or where there is none. */
  hold(id: string): Promise<OpenSession> {
    return this.#turns.take(async () => {
      const open = this.find(id);
      return open ? this.#held(open) : this.#open(await this.#options.store.open(id));
    });
  }

  /** The same, for one more holder of a session that is held. */
  share(session: OpenSession): OpenSession {
    return this.#held(session);
  }

  /** A new one, for a holder. */
  create(): Promise<OpenSession> {
    return this.#turns.take(async () => this.#open(await this.#options.store.create(this.#start())));
  }

  /** A new one that begins with the events of session `id` before event `before`, for a holder. */
  fork(id: string, before: number): Promise<OpenSession> {
    return this.#turns.take(async () =>
      this.#open(await this.#options.store.fork(id, before, this.#start())),
    );
  }

  /** The same, which nobody holds: for another window, which works in the folder `cwd`, or for later. Resolves with its id. */
  async forkAside(
    id: string,
    before: number,
    changes: { readonly cwd?: string; readonly toModel?: string } = {},
  ): Promise<string> {
    const log = await this.#options.store.fork(id, before, { ...this.#start(), ...changes });
    await log.close();
    return log.id;
  }

  /** Resolves when it is closed, unless somebody else holds it or it runs. */
  release(session: OpenSession): Promise<void> {
    const holders = this.#holders.get(session);
    if (holders !== undefined) this.#holders.set(session, holders - 1);
    return this.#turns.take(() => this.#closeUnused(session));
  }

  /** Resolves when everything is closed that was released. */
  async settle(): Promise<void> {
    await this.#turns.take(async () => {});
  }

  /** As `close`, and writes to the log channel what could not be written. */
  async dispose(): Promise<void> {
    await this.close().catch((error: unknown) => this.#options.ports.logger.error(String(error)));
  }

  /** Stops what runs and closes everything. Rejects after that where something could not be written to the last. */
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
    if (!session.isResting || this.#holders.get(session) !== 0) return;
    this.#holders.delete(session);
    // What was not written was told in the session when that began.
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

  /** What a new log begins with. */
  #start(): { cwd: string; product: string } {
    const { ports, product } = this.#options;
    return { cwd: ports.workspace.roots[0]?.path ?? '', product };
  }
}

/** What nobody holds is free for the next try. */
function letGo(held: { close(): Promise<void> }): (error: unknown) => Promise<never> {
  return async (error) => {
    await held.close().catch(() => undefined);
    throw error;
  };
}
