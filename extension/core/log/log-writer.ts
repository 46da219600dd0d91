import type { Delta, DeltaDraft, EventDraft, SessionEvent } from '../../protocol/events.ts';
import { Listeners } from '../base/listeners.ts';
import type { Logger } from '../ports/logger.ts';
import type { SessionLog } from '../ports/session-store.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { DeltaFilter } from './delta-filter.ts';
import { LOG_WRITABLE_AGAIN, logUnwritable } from './unwritable-log.ts';

/** Sees what happens in a session. A listener that throws is logged and does not disturb the run. */
export interface SessionListener {
  /** Events that are in the log. */
  onEvents?(events: readonly SessionEvent[]): void;
  /** The picture of what is still growing. */
  onDelta?(delta: Delta): void;
}

/**
 * The only way into a session's log: an event is written first, then applied and shown. Secrets are taken out before,
 * where it is given what to take out, so that the log, the panel and what the model reads say the same.
 */
export class LogWriter {
  readonly #log: SessionLog;
  readonly #logger: Logger;
  readonly #secrets: SecretFilter | undefined;
  readonly #live: DeltaFilter | undefined;
  readonly #listeners = new Listeners<SessionListener>();
  readonly #staged: EventDraft[] = [];
  /** The reader knows that the log cannot be written. */
  #isTroubleTold = false;

  constructor(log: SessionLog, logger: Logger, secrets?: SecretFilter) {
    this.#log = log;
    this.#logger = logger;
    this.#secrets = secrets;
    this.#live = secrets && new DeltaFilter(secrets);
  }

  /**
   * Adds events to the next append, which must follow at once: the loop writes in one append what happens in one breath.
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
   * Appends what is staged, then `added`. Resolves when the events are in the log, or buffered until the log can be
   * written again, and every listener has seen them.
   */
  async append(...added: readonly EventDraft[]): Promise<void> {
    const drafts = [...this.#staged.splice(0), ...added];
    const events = await this.#log.append(drafts.map((draft) => this.#clean(draft)));
    for (const rest of drafts.flatMap((draft) => this.#live?.completed(draft) ?? [])) this.#tellDelta(rest);
    this.#tell((listener) => listener.onEvents?.(events));
    await this.#tellOfTrouble();
  }

  /** Resolves when everything that was appended would survive the loss of power. Rejects where it would not, with the reason. */
  async sync(): Promise<void> {
    await this.flush();
    try {
      await this.#log.sync();
    } finally {
      await this.#tellOfTrouble();
    }
  }

  delta(draft: DeltaDraft): void {
    const shown = this.#live ? this.#live.pass(draft) : draft;
    if (shown) this.#tellDelta(shown);
  }

  /** The same for what goes into another log. */
  withoutSecrets<Value>(value: Value): Value {
    return this.#secrets ? this.#secrets.data(value) : value;
  }

  /** The same of a text; `isOutput` where a command says it. */
  textWithoutSecrets(text: string, isOutput?: boolean): string {
    return this.#secrets?.text(text, isOutput) ?? text;
  }

  /** Returns the undo. */
  subscribe(listener: SessionListener): () => void {
    return this.#listeners.add(listener);
  }

  #clean(draft: EventDraft): EventDraft {
    const shown = this.#live?.asShown(draft) ?? draft;
    return this.#secrets?.draft(shown) ?? shown;
  }

  #tellDelta(draft: DeltaDraft): void {
    const delta: Delta = { ...draft, session: this.#log.id };
    this.#tell((listener) => listener.onDelta?.(delta));
  }

  async #tellOfTrouble(): Promise<void> {
    const { trouble } = this.#log;
    if (this.#isTroubleTold === (trouble !== undefined)) return;
    this.#isTroubleTold = trouble !== undefined;
    await this.append(trouble === undefined ? LOG_WRITABLE_AGAIN : logUnwritable(trouble));
  }

  #tell(call: (listener: SessionListener) => void): void {
    this.#listeners.tell((listener) => {
      try {
        call(listener);
      } catch (error) {
        this.#logger.error(`A session listener failed: ${String(error)}`);
      }
    });
  }
}
