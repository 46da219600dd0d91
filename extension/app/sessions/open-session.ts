import { Emitter } from '../../core/base/emitter.ts';
import { Listeners } from '../../core/base/listeners.ts';
import type { RestoreRequest } from '../../core/checkpoints/restore/restore.ts';
import type { PlannedRestore } from '../../core/checkpoints/restore/types.ts';
import type { RestoredFile } from '../../core/checkpoints/restored-file.ts';
import { LiveDeltas } from '../../core/log/live-deltas.ts';
import type { SessionListener } from '../../core/log/log-writer.ts';
import { sessionTitleOf } from '../../core/log/session-title.ts';
import type { RunSettings } from '../../core/loop/run-settings.ts';
import type { Localization } from '../../core/ports/localization.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { SessionState } from '../../core/ports/session-store.ts';
import type { Session } from '../../core/session/session.ts';
import { LogWindow } from '../../core/view/log-window.ts';
import { stateOf } from '../../core/view/session-head.ts';
import type { Delta, EndReason, EventDraft, SessionEvent } from '../../protocol/events.ts';
import type { PromptSender, RunResult } from '../prompts/prompt-sender.ts';

export interface OpenSessionOptions {
  /** Of the session with this id. */
  readonly settings: (session: string) => Promise<RunSettings>;
  readonly prompts: (session: OpenSession) => PromptSender;
  readonly ports: { readonly logger: Logger };
  readonly localization: Localization;
}

/** A session that this window writes, with what its panels show of it. */
export class OpenSession {
  /** Folded from its log, in the user's language. */
  readonly log: LogWindow;
  readonly #session: Session;
  readonly #settings: () => Promise<RunSettings>;
  readonly #logger: Logger;
  readonly #localization: Localization;
  readonly #live = new LiveDeltas();
  readonly #listeners = new Listeners<SessionListener>();
  readonly #rested = new Emitter<void>();
  /** A run has ended, and what waited for that too; or the log can be written again. */
  readonly onDidRest = this.#rested.event;
  /** What is said in it, by whichever panel. */
  readonly prompts: PromptSender;
  /** Runs after which something may still be sent. */
  #ending = 0;
  #wasHeld = false;

  constructor(session: Session, { settings, prompts, ports, localization }: OpenSessionOptions) {
    this.#session = session;
    this.#logger = ports.logger;
    this.#localization = localization;
    this.#settings = () => settings(session.id);
    this.log = new LogWindow(localization.events(session.events), async (first, last) =>
      localization.events(await session.load(first, last)),
    );
    this.prompts = prompts(this);
    session.subscribe(this.#listener);
  }

  get id(): string {
    return this.#session.id;
  }

  get busy(): boolean {
    return this.#session.busy;
  }

  /** Nothing runs, nothing is about to, and all of it is in its log. */
  get isResting(): boolean {
    return !this.busy && this.#ending === 0 && !this.#session.isHeld;
  }

  get state(): SessionState {
    return stateOf(this.log.head);
  }

  /** Empty before the first prompt. */
  get title(): string {
    return this.#localization.title(sessionTitleOf(this.log.events));
  }

  /** What is still growing, for a page that comes in the middle of a reply. */
  get live(): readonly Delta[] {
    return this.#live.deltas;
  }

  /** Returns the undo. */
  subscribe(listener: SessionListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Rejects with `BusyError`. `attachments` are names of images. */
  prompt(content: string, attachments: readonly string[]): Promise<RunResult> {
    return this.#untilEnd(this.#session.prompt(content, this.#settings, attachments));
  }

  /** Goes on without a new prompt. */
  continue(): Promise<RunResult> {
    return this.#untilEnd(this.#session.continue(this.#settings));
  }

  /** Puts a summary in the place of the conversation so far. Rejects with `BusyError`, or where there is nothing to summarise. */
  compact(): Promise<RunResult> {
    return this.#untilEnd(this.#session.compact(this.#settings));
  }

  /** Says something to the run that is on. Resolves with false where it did not come to that. */
  steer(content: string, withdrawn: AbortSignal, attachments: readonly string[]): Promise<boolean> {
    return this.#session.steer(content, withdrawn, attachments);
  }

  /** What restoring the files to what they were when event `to` had happened would do. */
  planRestore(to: number): Promise<readonly PlannedRestore[]> {
    return this.#session.planRestore(to);
  }

  /** Rejects with `BusyError`, or where it could not be undone. What was said meanwhile is sent then, where the conversation goes on here. */
  async restore(request: Omit<RestoreRequest, 'id'>): Promise<readonly RestoredFile[]> {
    let reason: EndReason | undefined;
    try {
      const files = await this.#session.restore(request);
      if (request.fork === undefined) reason = 'done';
      return files;
    } finally {
      if (!this.busy) void this.#runEnded(reason);
    }
  }

  /** Writes a remark into the log, of which the model is told `toModel`. */
  note(message: string, toModel: string): Promise<void> {
    return this.#session.note(message, toModel);
  }

  /** Writes what the user decides beside the conversation, also while a run is on. Rejects where it would not survive. */
  record(...drafts: readonly EventDraft[]): Promise<void> {
    return this.#session.record(...drafts);
  }

  rename(title: string): Promise<void> {
    return this.#session.rename(title);
  }

  cancel(): void {
    this.#session.cancel();
  }

  retryNow(): void {
    this.#session.retryNow();
  }

  /** Stops the run and lets another process write the log. */
  async close(): Promise<void> {
    await Promise.all([this.prompts.flush(), this.#session.close()]);
    this.#rested.dispose();
  }

  async #untilEnd(run: Promise<EndReason>): Promise<RunResult> {
    try {
      const reason = await run;
      void this.#runEnded(reason);
      return { session: this.id, reason };
    } catch (error) {
      if (!this.busy) void this.#runEnded(undefined);
      throw error;
    }
  }

  async #runEnded(reason: EndReason | undefined): Promise<void> {
    this.#ending += 1;
    await this.prompts.runEnded(reason).catch((error: unknown) => this.#logger.error(String(error)));
    this.#ending -= 1;
    if (this.isResting) this.#rested.fire();
  }

  readonly #listener = {
    onEvents: (events: readonly SessionEvent[]) => {
      const fresh = this.#localization.events(events);
      this.log.apply(fresh);
      this.#live.onEvents(fresh);
      this.#listeners.tell((listener) => listener.onEvents?.(fresh));
      if (this.#wasHeld && this.isResting) this.#rested.fire();
      this.#wasHeld = this.#session.isHeld;
    },
    onDelta: (delta: Delta) => {
      this.#live.onDelta(delta);
      this.#listeners.tell((listener) => listener.onDelta?.(delta));
    },
  };
}
