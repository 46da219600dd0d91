import * as vscode from 'vscode';
import { SessionBusyError, type SessionStore } from '../core/ports/event-store.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { SessionListener } from '../core/session/recorder.ts';
import { BusyError } from '../core/session/session.ts';
import { titleOf } from '../core/session/session-title.ts';
import { LogWindow } from '../core/view/log-window.ts';
import type { Delta, SessionEvent } from '../protocol/events.ts';
import type { QueuedPrompt } from '../protocol/queue-messages.ts';
import type { CurrentSession } from './current-session.ts';
import type { OpenSession } from './open-session.ts';
import type { OpenSessions } from './open-sessions.ts';

export interface SessionManagerOptions {
  readonly open: OpenSessions;
  readonly store: Pick<SessionStore, 'read' | 'readEnd'>;
  readonly current: CurrentSession;
  readonly logger: Logger;
}

/** A session that another window writes, as it was when it was shown here. */
interface Foreign {
  readonly id: string;
  readonly log: LogWindow;
}

/** The end of a session that has not been read yet. */
interface Preview {
  readonly id: string;
  readonly end: LogWindow;
}

const EMPTY = new LogWindow();

/** The conversation that one panel shows: open for writing, read-only because another window writes it, or none yet. */
export class SessionManager {
  readonly #options: SessionManagerOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Another session is shown, or the same one in another way. */
  readonly onDidChange = this.#changed.event;
  readonly #listeners = new Set<SessionListener>();
  #session: OpenSession | undefined;
  #foreign: Foreign | undefined;
  #preview: Preview | undefined;
  #reading: Promise<void> | undefined;
  #creating: Promise<OpenSession> | undefined;
  #unfollow = () => {};
  /** Counts what the panel was asked to show: the last one wins. */
  #asked = 0;

  constructor(options: SessionManagerOptions) {
    this.#options = options;
  }

  /** Empty where no session has begun. */
  get id(): string {
    return this.#session?.id ?? this.#foreign?.id ?? this.#preview?.id ?? '';
  }

  /** While the session is not read yet: its newest events. Nothing can be done with it then but to show them. */
  get end(): LogWindow | undefined {
    return this.#preview?.end;
  }

  /** Folded from its log. */
  get log(): LogWindow {
    return this.#session?.log ?? this.#foreign?.log ?? EMPTY;
  }

  get events(): readonly SessionEvent[] {
    return this.log.events;
  }

  /** Empty before the first prompt. */
  get title(): string {
    return titleOf(this.events);
  }

  /** What is still growing, for a page that comes in the middle of a reply. */
  get live(): readonly Delta[] {
    return this.#session?.live ?? [];
  }

  get readOnly(): boolean {
    return this.#foreign !== undefined;
  }

  get busy(): boolean {
    return this.#creating !== undefined || (this.#session?.busy ?? false);
  }

  /** Follows whatever session is shown. Returns the undo. */
  subscribe(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows the session that was shown here last, if there is one; of a long one its end, and the rest by `whole`. */
  async restore(): Promise<void> {
    const { current, store } = this.#options;
    const id = await current.load();
    if (!id) return;
    const events = await store.readEnd(id).catch(() => []);
    this.#preview = { id, end: new LogWindow(events) };
    if (events.length === 0) await this.whole();
  }

  /** Resolves when nothing is missing any more of the session that is shown. */
  async whole(): Promise<void> {
    if (this.#preview) this.#reading ??= this.#read(this.#preview.id);
    await this.#reading;
  }

  async #read(id: string): Promise<void> {
    await this.#open(id).catch((error: unknown) => {
      // The window may have been closed meanwhile: then it will be tried again.
      if (!this.#preview) return undefined;
      this.#options.logger.warn(`The last session was not opened: ${String(error)}`);
      return this.#replace(undefined, undefined);
    });
  }

  /** Shows a session; read-only where another window writes it. Rejects where there is none. */
  async show(id: string): Promise<void> {
    await this.whole();
    if (id !== this.id || this.readOnly) await this.#open(id);
  }

  async #open(id: string): Promise<void> {
    const { open, store } = this.#options;
    const isLatest = this.#ask();
    const session = await open.hold(id).catch((error: unknown) => {
      if (error instanceof SessionBusyError) return undefined;
      throw error;
    });
    const foreign = session ? undefined : { id, log: new LogWindow(await store.read(id)) };
    if (isLatest()) await this.#replace(session, foreign);
    else if (session) await open.release(session);
  }

  /** The next prompt begins a new session. */
  async startNew(): Promise<void> {
    await this.whole();
    this.#ask();
    await this.#replace(undefined, undefined);
  }

  /** The session that is shown, or a new one. Rejects with `SessionBusyError`, or where its log cannot be written. */
  async begin(): Promise<OpenSession> {
    await this.whole();
    if (this.#foreign) throw new SessionBusyError('another window');
    if (this.#session) return this.#session;
    this.#creating ??= this.#create().finally(() => {
      this.#creating = undefined;
    });
    return this.#creating;
  }

  /** The prompts that wait in it. */
  async queued(): Promise<readonly QueuedPrompt[]> {
    return (await this.#session?.prompts.queued()) ?? [];
  }

  async continue(): Promise<void> {
    await (await this.begin()).continue();
  }

  /** Shows a new session that begins with the events before event `before`. Rejects with `BusyError`. */
  async fork(before: number): Promise<void> {
    if (this.busy) throw new BusyError();
    await this.#replace(await this.#options.open.fork(this.id, before), undefined);
  }

  /** Puts a summary in the place of the conversation so far. Rejects with `BusyError`, or where there is nothing to summarise. */
  async compact(): Promise<void> {
    if (this.#foreign) throw new SessionBusyError('another window');
    if (!this.#session) throw new Error(vscode.l10n.t('There is nothing to compact yet.'));
    await this.#session.compact();
  }

  /** Writes a remark into the log, of which the model is told `toModel`. */
  async note(message: string, toModel: string): Promise<void> {
    await this.#session?.note(message, toModel);
  }

  cancel(): void {
    this.#session?.cancel();
  }

  retryNow(): void {
    this.#session?.retryNow();
  }

  /** A run goes on. */
  dispose(): void {
    this.#ask();
    this.#unfollow();
    this.#changed.dispose();
    if (this.#session) void this.#options.open.release(this.#session);
    this.#session = undefined;
    this.#preview = undefined;
  }

  /** Returns whether nothing else was asked for since. */
  #ask(): () => boolean {
    this.#asked += 1;
    const asked = this.#asked;
    return () => asked === this.#asked;
  }

  async #create(): Promise<OpenSession> {
    const session = await this.#options.open.create();
    await this.#replace(session, undefined);
    return session;
  }

  async #replace(session: OpenSession | undefined, foreign: Foreign | undefined): Promise<void> {
    const before = this.#session;
    this.#unfollow();
    this.#session = session;
    this.#foreign = foreign;
    this.#preview = undefined;
    this.#unfollow = session ? this.#follow(session) : () => {};
    if (before) await this.#options.open.release(before);
    await this.#remember();
    this.#changed.fire();
  }

  #follow(session: OpenSession): () => void {
    return session.subscribe({
      onEvents: (events) => this.#tell((listener) => listener.onEvents?.(events)),
      onDelta: (delta) => this.#tell((listener) => listener.onDelta?.(delta)),
    });
  }

  /** A window that cannot remember works all the same. */
  async #remember(): Promise<void> {
    const { current, logger } = this.#options;
    await current.save(this.id).catch((error: unknown) => {
      logger.warn(`After a reload this session will have to be opened again: ${String(error)}`);
    });
  }

  #tell(call: (listener: SessionListener) => void): void {
    for (const listener of this.#listeners) call(listener);
  }
}
