import type { Delta, DeltaDraft } from '../../protocol/delta.ts';
import type { EventDraft, SessionEvent } from '../../protocol/events.ts';
import { Listeners } from '../base/listeners.ts';
import type { Logger } from '../ports/logger.ts';
import type { SessionLog } from '../ports/session-store.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { DeltaFilter } from './delta-filter.ts';
import { LOG_WRITABLE_AGAIN, logUnwritable } from './unwritable-log.ts';

/** Observes a session. If a listener throws, the writer logs the error and the run continues. */
export interface SessionListener {
  /** Events that are in the log. */
  onEvents?(events: readonly SessionEvent[]): void;
  /** A piece of a block or an output that is still growing. */
  onDelta?(delta: Delta): void;
}

/**
 * The only way into a session's log. It writes an event first; listeners then apply and show it. With a
 * secret filter, it removes secrets before that, so that the log, the panel and the model get the same text.
 */
export class LogWriter {
  readonly #log: SessionLog;
  readonly #logger: Logger;
  readonly #secrets: SecretFilter | undefined;
  readonly #live: DeltaFilter | undefined;
  readonly #listeners = new Listeners<SessionListener>();
  readonly #staged: EventDraft[] = [];
  /** The log says that it cannot be written. */
  #isTroubleReported = false;

  constructor(log: SessionLog, logger: Logger, secrets?: SecretFilter) {
    this.#log = log;
    this.#logger = logger;
    this.#secrets = secrets;
    this.#live = secrets && new DeltaFilter(secrets);
  }

  /**
   * Adds events to the next append, which must follow at once, so that events of one moment take one append.
   * Call `flush` before anything that may take long, such as a question to the user or a command.
   */
  stage(...drafts: readonly EventDraft[]): void {
    this.#staged.push(...drafts);
  }

  /** Appends what is staged. */
  async flush(): Promise<void> {
    if (this.#staged.length > 0) await this.append();
  }

  /**
   * Appends what is staged, then `added`. Resolves when every listener has seen the events, and the log has
   * written or buffered them until it can be written again.
   */
  async append(...added: readonly EventDraft[]): Promise<void> {
    const drafts = [...this.#staged.splice(0), ...added];
    const events = await this.#log.append(drafts.map((draft) => this.#clean(draft)));
    for (const rest of drafts.flatMap((draft) => this.#live?.completed(draft) ?? [])) this.#emitDelta(rest);
    this.#notify((listener) => listener.onEvents?.(events));
    await this.#reportTrouble();
  }

  /** Resolves when everything appended would survive a power loss. Otherwise rejects with the reason. */
  async sync(): Promise<void> {
    await this.flush();
    try {
      await this.#log.sync();
    } finally {
      await this.#reportTrouble();
    }
  }

  delta(draft: DeltaDraft): void {
    const shown = this.#live ? this.#live.pass(draft) : draft;
    if (shown) this.#emitDelta(shown);
  }

  /** Removes secrets from a value that goes into another log. */
  withoutSecrets<Value>(value: Value): Value {
    return this.#secrets ? this.#secrets.data(value) : value;
  }

  /** Removes secrets from a text; `isOutput` if it is the output of a command. */
  textWithoutSecrets(text: string, isOutput?: boolean): string {
    return this.#secrets?.text(text, isOutput) ?? text;
  }

  /** Returns the function that unsubscribes. */
  subscribe(listener: SessionListener): () => void {
    return this.#listeners.add(listener);
  }

  #clean(draft: EventDraft): EventDraft {
    const shown = this.#live?.asShown(draft) ?? draft;
    return this.#secrets?.draft(shown) ?? shown;
  }

  #emitDelta(draft: DeltaDraft): void {
    const delta: Delta = { ...draft, session: this.#log.id };
    this.#notify((listener) => listener.onDelta?.(delta));
  }

  async #reportTrouble(): Promise<void> {
    const { trouble } = this.#log;
    if (this.#isTroubleReported === (trouble !== undefined)) return;
    this.#isTroubleReported = trouble !== undefined;
    await this.append(trouble === undefined ? LOG_WRITABLE_AGAIN : logUnwritable(trouble));
  }

  #notify(call: (listener: SessionListener) => void): void {
    this.#listeners.notify((listener) => {
      try {
        call(listener);
      } catch (error) {
        this.#logger.error(`A session listener failed: ${String(error)}`);
      }
    });
  }
}
