import { Emitter } from '../../core/base/emitter.ts';
import { Listeners } from '../../core/base/listeners.ts';
import { Mutex } from '../../core/base/mutex.ts';
import type { SessionListener } from '../../core/log/log-writer.ts';
import type { SessionLog, SessionStore } from '../../core/ports/session-store.ts';
import type { Root } from '../../core/ports/workspace.ts';
import { Session } from '../../core/session/session.ts';
import type { SessionPorts } from '../../core/session/session-ports.ts';
import type { Opened, SessionRecordings } from '../recordings/session-recordings.ts';
import { OpenSession, type OpenSessionOptions } from './open-session.ts';

export interface OpenSessionsOptions extends OpenSessionOptions {
  readonly store: SessionStore;
  readonly ports: SessionPorts;
  readonly product: string;
  readonly recordings: SessionRecordings;
}

/**
 * The sessions that this window writes: each once, however many panels hold it. One that nobody holds stays open until
 * its run has ended, so a run goes on when its panel shows something else.
 */
export class SessionRegistry {
  readonly #options: OpenSessionsOptions;
  readonly #holders = new Map<OpenSession, number>();
  readonly #recordings = new WeakMap<OpenSession, Opened>();
  readonly #listeners = new Listeners<SessionListener>();
  readonly #changed = new Emitter<void>();
  /** One was opened or closed. */
  readonly onDidChange = this.#changed.event;
  readonly #closed = new Emitter<void>();
  readonly onDidClose = this.#closed.event;
  /** None is opened twice, or while it is being closed. */
  readonly #turns = new Mutex();

  constructor(options: OpenSessionsOptions) {
    this.#options = options;
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

  /** Follows all of them. Returns the undo. */
  subscribe(listener: SessionListener): () => void {
    return this.#listeners.add(listener);
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

  /** Stops what runs and closes everything. */
  async dispose(): Promise<void> {
    await this.#turns.take(async () => {
      await Promise.all(this.all.map((session) => this.#close(session)));
      this.#holders.clear();
    });
    this.#changed.dispose();
    this.#closed.dispose();
  }

  async #open(log: SessionLog): Promise<OpenSession> {
    const opened = await this.#options.recordings.begin(log, this.#options.ports).catch(letGo(log));
    const begun = await Session.open(opened.log, opened.ports).catch(letGo(opened));
    const session = new OpenSession(begun, this.#options);
    this.#recordings.set(session, opened);
    session.subscribe({
      onEvents: (events) => this.#listeners.tell((listener) => listener.onEvents?.(events)),
      onDelta: (delta) => this.#listeners.tell((listener) => listener.onDelta?.(delta)),
    });
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
    await this.#close(session);
    this.#changed.fire();
    this.#closed.fire();
  }

  /** What could not be written to the last was told in the session when that began. */
  async #close(session: OpenSession): Promise<void> {
    await session.close().catch((error: unknown) => this.#options.ports.logger.error(String(error)));
    await this.#recordings.get(session)?.close();
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
