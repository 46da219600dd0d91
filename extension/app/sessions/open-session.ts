import { Emitter } from '../../core/base/emitter.ts';
import type { RestoreRequest } from '../../core/checkpoints/restore/restore.ts';
import type { RestoredFile } from '../../core/checkpoints/restored-file.ts';
import { LiveDeltas } from '../../core/log/live-deltas.ts';
import { sessionTitleOf } from '../../core/log/session-title.ts';
import type { RunSettings } from '../../core/loop/run-settings.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { SessionState } from '../../core/ports/session-store.ts';
import type { PromptOptions, Session } from '../../core/session/session.ts';
import { LogWindow } from '../../core/view/log-window.ts';
import { stateOf } from '../../core/view/session-head.ts';
import type { Delta } from '../../protocol/delta.ts';
import type { EndReason, SessionEvent } from '../../protocol/events.ts';
import type { SessionFeed } from '../feed/session-feed.ts';
import type { PromptSender, RunResult } from '../prompts/prompt-sender.ts';

export interface OpenSessionOptions {
  /** Resolves with the run settings of the session with this id. */
  readonly settings: (session: string) => Promise<RunSettings>;
  readonly prompts: (session: OpenSession) => PromptSender;
  readonly ports: { readonly logger: Logger };
  readonly feed: SessionFeed;
}

/** A session that this process writes, with what its panels show of it. */
export class OpenSession {
  readonly id: string;
  /** The log with localized events. */
  readonly log: LogWindow;
  /** The core session, for callers that need neither settings nor the queue. */
  readonly core: Session;
  readonly #settings: () => Promise<RunSettings>;
  readonly #logger: Logger;
  readonly #feed: SessionFeed;
  readonly #live = new LiveDeltas();
  readonly #rested = new Emitter<void>();
  /**
   * Fires when the session rests: after a run and the prompts queued after it, or when the log can be
   * written again, or when its last background command has ended.
   */
  readonly onDidRest = this.#rested.event;
  /** Sends and queues the prompts of all panels. */
  readonly prompts: PromptSender;
  /** The number of ended runs after which a queued prompt may still be sent. */
  #ending = 0;
  #wasHeld = false;

  constructor(session: Session, { settings, prompts, ports, feed }: OpenSessionOptions) {
    this.id = session.id;
    this.core = session;
    this.#logger = ports.logger;
    this.#feed = feed;
    const { localization } = feed;
    this.#settings = () => settings(session.id);
    this.log = new LogWindow(localization.events(session.events), async (first, last) =>
      localization.events(await session.load(first, last)),
    );
    this.prompts = prompts(this);
    session.subscribe(this.#listener);
  }

  get busy(): boolean {
    return this.core.busy;
  }

  /** No run is on or about to start, and every event is in the log. */
  get isResting(): boolean {
    return !this.busy && this.#ending === 0 && !this.core.isHeld;
  }

  /** No command runs in the background, whose end the model must hear. */
  get isQuiet(): boolean {
    return (this.core.background?.running ?? []).length === 0;
  }

  get state(): SessionState {
    return stateOf(this.log.head);
  }

  /** Empty before the first prompt. */
  get title(): string {
    return this.#feed.localization.title(sessionTitleOf(this.log.events));
  }

  /** The deltas of blocks that still grow, for a page that starts during a reply. */
  get live(): readonly Delta[] {
    return this.#live.deltas;
  }

  /** `attachments` are image names. Rejects with `BusyError`. */
  prompt(content: string, attachments: readonly string[], options?: PromptOptions): Promise<RunResult> {
    return this.#untilEnd(this.core.prompt(content, this.#settings, attachments, options));
  }

  /** Starts a run without a new prompt. */
  continue(): Promise<RunResult> {
    return this.#untilEnd(this.core.continue(this.#settings));
  }

  /**
   * Replaces the conversation so far with a summary. Rejects with `BusyError`, or if there is nothing to
   * summarize.
   */
  compact(): Promise<RunResult> {
    return this.#untilEnd(this.core.compact(this.#settings));
  }

  /**
   * Rejects with `BusyError`, or if the restore could not be undone later. Afterwards sends the prompts
   * queued meanwhile; holds them if the restore failed or forked.
   */
  async restore(request: Omit<RestoreRequest, 'id'>): Promise<readonly RestoredFile[]> {
    let reason: EndReason | undefined;
    try {
      const files = await this.core.restore(request);
      if (request.fork === undefined) reason = 'done';
      return files;
    } finally {
      if (!this.busy) void this.#runEnded(reason);
    }
  }

  /** Stops the run. Afterwards another process can write the log. */
  async close(): Promise<void> {
    await Promise.all([this.prompts.flush(), this.core.close()]);
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
      const fresh = this.#feed.localization.events(events);
      this.log.apply(fresh);
      this.#live.onEvents(fresh);
      this.#feed.events(this, fresh);
      if (this.#wasHeld && this.isResting) this.#rested.fire();
      this.#wasHeld = this.core.isHeld;
      const hasEnded = events.some(({ type }) => type === 'background_ended');
      if (hasEnded && this.isQuiet && this.isResting) this.#rested.fire();
    },
    onDelta: (delta: Delta) => {
      this.#live.onDelta(delta);
      this.#feed.delta(this, delta);
    },
  };
}
