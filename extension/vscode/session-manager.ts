import * as vscode from 'vscode';
import type { RunSettings } from '../core/loop/run-settings.ts';
import { SessionBusyError, type SessionLog, type SessionStore } from '../core/ports/event-store.ts';
import { LiveFold } from '../core/session/live-fold.ts';
import type { SessionListener } from '../core/session/recorder.ts';
import { Session, type SessionPorts } from '../core/session/session.ts';
import { LogWindow } from '../core/view/log-window.ts';
import type { Delta, EndReason, SessionEvent } from '../protocol/events.ts';
import type { CurrentSession } from './current-session.ts';

export interface SessionManagerOptions {
  readonly store: SessionStore;
  readonly ports: SessionPorts;
  readonly current: CurrentSession;
  readonly product: string;
  /** Of the session with this id. */
  readonly settings: (session: string) => Promise<RunSettings>;
}

/** A session that another window writes, as it was when it was opened here. */
interface Foreign {
  readonly id: string;
  readonly events: readonly SessionEvent[];
}

export interface RunResult {
  readonly session: string;
  readonly reason: EndReason;
}

/** The conversation that this window shows: open for writing, read-only because another window writes it, or none yet. */
export class SessionManager {
  readonly #options: SessionManagerOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Another session is shown, or the same one in another way. */
  readonly onDidChange = this.#changed.event;
  readonly #listeners = new Set<SessionListener>();
  #session: Session | undefined;
  #foreign: Foreign | undefined;
  #log = new LogWindow();
  #creating: Promise<Session> | undefined;
  #live = new LiveFold();
  #unsubscribe = () => {};

  constructor(options: SessionManagerOptions) {
    this.#options = options;
  }

  /** Empty where no session has begun. */
  get id(): string {
    return this.#session?.id ?? this.#foreign?.id ?? '';
  }

  /** Folded from its log. */
  get log(): LogWindow {
    return this.#log;
  }

  get events(): readonly SessionEvent[] {
    return this.#log.events;
  }

  /** What is still growing, for a page that comes in the middle of a reply. */
  get live(): readonly Delta[] {
    return this.#live.deltas;
  }

  get readOnly(): boolean {
    return this.#foreign !== undefined;
  }

  get busy(): boolean {
    return this.#session?.busy ?? false;
  }

  /** Follows whatever session is shown. Returns the undo. */
  subscribe(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows the session that this workspace had last, if there is one. */
  async restore(): Promise<void> {
    const id = await this.#options.current.load();
    if (!id) return;
    await this.show(id).catch((error: unknown) => {
      this.#options.ports.logger.warn(`The last session was not opened: ${String(error)}`);
      return this.#remember();
    });
  }

  /** Opens a session; read-only where another window writes it. Rejects where there is none. */
  async show(id: string): Promise<void> {
    if (id === this.id && !this.readOnly) return;
    const { store } = this.#options;
    const opened = await store.open(id).catch((error: unknown) => {
      if (error instanceof SessionBusyError) return undefined;
      throw error;
    });
    const foreign = opened ? undefined : { id, events: await store.read(id) };
    await this.#replace(opened, foreign);
  }

  /** The next prompt begins a new session. */
  async startNew(): Promise<void> {
    await this.#replace(undefined, undefined);
  }

  /** Rejects with `BusyError`, `SessionBusyError`, or where the log cannot be written. */
  async prompt(content: string): Promise<RunResult> {
    const session = await this.#writable();
    const run = session.prompt(content, () => this.#options.settings(session.id));
    return { session: session.id, reason: await this.#showEnd(session, run) };
  }

  async continue(): Promise<void> {
    const session = await this.#writable();
    await this.#showEnd(
      session,
      session.continue(() => this.#options.settings(session.id)),
    );
  }

  cancel(): void {
    this.#session?.cancel();
  }

  retryNow(): void {
    this.#session?.retryNow();
  }

  async dispose(): Promise<void> {
    await this.#session?.close();
    this.#unsubscribe();
    this.#changed.dispose();
  }

  /** A run whose end the log did not take is over all the same for whoever follows it. */
  async #showEnd(session: Session, run: Promise<EndReason>): Promise<EndReason> {
    try {
      return await run;
    } catch (error) {
      if (session === this.#session && !session.busy && session.unwritten.length > 0)
        this.#listener.onEvents(session.unwritten);
      throw error;
    }
  }

  async #writable(): Promise<Session> {
    if (this.#foreign) throw new SessionBusyError('another window');
    if (this.#session) return this.#session;
    this.#creating ??= this.#create().finally(() => {
      this.#creating = undefined;
    });
    return this.#creating;
  }

  async #create(): Promise<Session> {
    const { store, ports, product } = this.#options;
    const session = await this.#replace(
      await store.create({ cwd: ports.workspace.roots[0]?.path ?? '', product }),
      undefined,
    );
    if (!session) throw new Error('The session could not be opened.');
    return session;
  }

  async #replace(log: SessionLog | undefined, foreign: Foreign | undefined): Promise<Session | undefined> {
    // The end of a run that is closed here must still reach whoever follows it.
    await this.#session?.close();
    this.#unsubscribe();
    this.#session = log && (await Session.open(log, this.#options.ports));
    this.#foreign = foreign;
    this.#log = new LogWindow(this.#session?.events ?? foreign?.events);
    this.#live = new LiveFold();
    this.#unsubscribe = this.#session?.subscribe(this.#listener) ?? (() => {});
    await this.#remember();
    this.#changed.fire();
    return this.#session;
  }

  /** A window that cannot remember works all the same. */
  async #remember(): Promise<void> {
    const { current, ports } = this.#options;
    await current.save(this.id).catch((error: unknown) => {
      ports.logger.warn(`After a reload this session will have to be opened again: ${String(error)}`);
    });
  }

  readonly #listener = {
    onEvents: (events: readonly SessionEvent[]) => {
      // The end of a run that the log did not take was shown already when it comes from the log.
      const shown = this.#log.events.at(-1)?.seq ?? 0;
      const fresh = events.filter(({ seq }) => seq > shown);
      this.#log.apply(fresh);
      this.#live.onEvents(fresh);
      this.#tell((listener) => listener.onEvents?.(fresh));
    },
    onDelta: (delta: Delta) => {
      this.#live.onDelta(delta);
      this.#tell((listener) => listener.onDelta?.(delta));
    },
  };

  #tell(call: (listener: SessionListener) => void): void {
    for (const listener of this.#listeners) call(listener);
  }
}
