import type { EndReason, EventDraft, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { BackgroundCommands } from '../background/background-commands.ts';
import { ChangeTracker } from '../checkpoints/change-tracker.ts';
import type { RestoreRequest } from '../checkpoints/restore/restore.ts';
import type { PlannedRestore } from '../checkpoints/restore/types.ts';
import type { RestoredFile } from '../checkpoints/restored-file.ts';
import { Images } from '../context/images.ts';
import { KeptImages } from '../context/kept-images.ts';
import { LogWriter, type SessionListener } from '../log/log-writer.ts';
import { RequestPrefixes } from '../log/request-prefix.ts';
import { SessionFold } from '../log/session-fold.ts';
import { retryUntilWritten } from '../log/unwritable-log.ts';
import { runPrompt } from '../loop/agent-loop.ts';
import { compact } from '../loop/compact.ts';
import { CONTINUE_NOTICE } from '../loop/fallback-model.ts';
import type { RunSettings } from '../loop/run-settings.ts';
import type { CallAction } from '../loop/running-calls.ts';
import { Gate } from '../permission/gate.ts';
import type { ContextWishes } from '../ports/context-source.ts';
import type { SessionLog } from '../ports/session-store.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { checkPrompt } from './check-prompt.ts';
import { recoveryEvents } from './recover.ts';
import type { SessionPorts } from './session-ports.ts';
import { SessionRestores } from './session-restores.ts';
import { type RunContext, type RunTask, SessionRun } from './session-run.ts';
import type { SessionInput } from './session-tap.ts';

/** The caller asked for something that must wait until the active run or restore ends. */
export class BusyError extends Error {
  constructor() {
    super(say('A run is active in this session. Wait until it ends, or stop it.'));
  }
}

export interface PromptOptions extends ContextWishes {
  /** Called after the prompt is in the log. */
  onLogged?(): void;
}

/** One conversation: its log, the state folded from it, and at most one run at a time. */
export class Session {
  readonly id: string;
  readonly #log: SessionLog;
  readonly #ports: SessionPorts;
  readonly #writer: LogWriter;
  readonly #fold = new SessionFold();
  readonly #place: RunContext;
  readonly #restores: SessionRestores;
  readonly #closing = new AbortController();
  /**
   * Changes only when events are logged. A recording has no entry for a read from outside, so a replay could
   * not repeat a live value.
   */
  #isHeld = false;
  #isTrying = false;
  #run: SessionRun | undefined;

  /** Ends what an earlier process left open. Closes the log if this rejects. */
  static async open(log: SessionLog, ports: SessionPorts): Promise<Session> {
    try {
      const session = new Session(log, ports);
      session.#fold.apply(log.past);
      session.#place.background?.apply(log.past);
      const drafts = await recoveryEvents(log, session.#place);
      if (drafts.length > 0) await session.#writer.append(...drafts);
      session.#place.background?.adopt();
      return session;
    } catch (error) {
      await log.close().catch(() => undefined);
      throw error;
    }
  }

  private constructor(log: SessionLog, ports: SessionPorts) {
    this.id = log.id;
    this.#log = log;
    this.#ports = ports;
    this.#writer = new LogWriter(log, ports.logger, ports.secrets ?? new SecretFilter());
    this.#writer.subscribe({
      onEvents: (events) => {
        this.#fold.apply(events);
        this.#place.background?.apply(events);
        this.#isHeld = log.trouble !== undefined;
        if (this.#isHeld) void this.#retryUntilWritten();
      },
    });
    if (ports.tap) this.#writer.subscribe(ports.tap);
    const outputs = ports.outputs?.(log.id);
    const changes = new ChangeTracker(
      ports.files && {
        session: log.id,
        files: ports.files,
        scan: ports.scan,
        editors: ports.editors,
        blobs: log.blobs,
      },
    );
    this.#place = {
      session: this.id,
      outputs,
      background:
        ports.background &&
        outputs &&
        new BackgroundCommands({ shell: ports.background, outputs, writer: this.#writer, changes }),
      ports,
      writer: this.#writer,
      gate: new Gate(log.id, this.#writer, ports),
      changes,
      fold: this.#fold,
      images: new Images(ports.attachments),
      keptImages: new KeptImages(ports.attachments),
      prefixes: new RequestPrefixes(log, this.#writer),
    };
    this.#restores = new SessionRestores(log, this.#place);
  }

  get busy(): boolean {
    return this.#run !== undefined || this.#restores.isOn;
  }

  /**
   * Some events are only in memory, because the log cannot be written. Closing the session now would lose
   * them.
   */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** All events of the log, in order. Older events of a long log are elided. */
  get events(): readonly SessionEvent[] {
    return this.#fold.events;
  }

  /** Events `first` to `last`, by sequence number, with their full texts. */
  load(first: number, last: number): Promise<readonly SessionEvent[]> {
    return this.#log.load(first, last);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: SessionListener): () => void {
    return this.#writer.subscribe(this.#ports.tap?.listener(listener) ?? listener);
  }

  /**
   * Works on a prompt until the agent stops. If `settings` rejects with `SetupError`, the run ends with that
   * error in the log. Rejects with `BusyError`, or where the prompt is too long. `attachments` are names of
   * images.
   */
  async prompt(
    content: string,
    settings: () => Promise<RunSettings>,
    attachments: readonly string[] = [],
    { onLogged = () => {}, ...wishes }: PromptOptions = {},
  ): Promise<EndReason> {
    this.#tapped('prompt', content, attachments);
    checkPrompt(content);
    return this.#start(settings, {
      begin: async () => [await this.#promptOf(content, attachments)],
      onBegun: onLogged,
      run: runPrompt,
      sendsContext: true,
      wishes,
      retryable: true,
    });
  }

  /**
   * Sends a message to the active run. The run skips calls that have not begun, and its next request carries
   * the message. Resolves with false where no run is active, the run ended first, or `withdrawn` was aborted
   * first. Rejects where the message is too long.
   */
  async steer(
    content: string,
    withdrawn: AbortSignal,
    attachments: readonly string[] = [],
  ): Promise<boolean> {
    const steered = this.#tapped('steer', content, attachments);
    checkPrompt(content);
    withdrawn.addEventListener('abort', () => this.#tapped('withdraw', steered), { once: true });
    const draft = () => this.#promptOf(content, attachments);
    return (await this.#run?.steering.add(draft, withdrawn)) ?? false;
  }

  /**
   * Replaces the conversation so far with a summary that the model writes. Rejects with `BusyError`, or where
   * there is nothing to summarize.
   */
  async compact(settings: () => Promise<RunSettings>): Promise<EndReason> {
    this.#tapped('compact');
    if (this.busy) throw new BusyError();
    if (!this.#fold.transcript.hasAnswer()) throw new Error(say('There is nothing to compact yet.'));
    const through = this.#fold.events.at(-1)?.seq ?? 0;
    return this.#start(settings, {
      begin: async () => [],
      run: (run) => compact(run, through),
      sendsContext: false,
      retryable: false,
    });
  }

  /**
   * Plans how a restore would return the files to their states after event `to`. Changes nothing. Rejects
   * where the session has no such event.
   */
  async planRestore(to: number): Promise<readonly PlannedRestore[]> {
    this.#tapped('planRestore', to);
    return this.#restores.plan(to);
  }

  /**
   * Restores the files as planned. The model reads of it at its next turn. Rejects with `BusyError`, or where
   * the restore could not be undone.
   */
  async restore(request: Omit<RestoreRequest, 'id'>): Promise<readonly RestoredFile[]> {
    this.#tapped('restore', request);
    if (this.busy) throw new BusyError();
    return this.#restores.restore(request);
  }

  /** Logs a notice: `message` for the user, `toModel` for the model. Rejects with `BusyError`. */
  async note(message: string, toModel: string): Promise<void> {
    this.#tapped('note', message, toModel);
    if (this.busy) throw new BusyError();
    await this.#writer.append({ type: 'notice', message, toModel });
  }

  /**
   * Logs a decision of the user that is no part of the conversation, also during a run. Rejects where the log
   * could lose it in a power failure.
   */
  async record(...drafts: readonly EventDraft[]): Promise<void> {
    this.#tapped('record', drafts);
    await this.#writer.append(...drafts);
    await this.#writer.sync();
  }

  /** Names the session, also during a run. */
  async rename(title: string): Promise<void> {
    this.#tapped('rename', title);
    await this.#writer.append({ type: 'title', title });
  }

  /**
   * Continues without a new prompt: after an error, a cut reply or the turn limit. Rejects with `BusyError`.
   */
  continue(settings: () => Promise<RunSettings>): Promise<EndReason> {
    this.#tapped('continue');
    return this.#start(settings, {
      begin: async () => (this.#fold.transcript.endsWithUser() ? [] : [CONTINUE_NOTICE]),
      run: runPrompt,
      sendsContext: true,
      retryable: true,
    });
  }

  /** Stops the run at any point. Does nothing without a run. */
  cancel(): void {
    this.#tapped('cancel');
    this.#run?.cancel();
  }

  /** Stops one running call, or moves it to the background. Does nothing if it has ended. */
  actOnCall(id: string, action: CallAction): void {
    this.#tapped('actOnCall', id, action);
    this.#run?.running.act(id, action);
  }

  /** The commands that run in the background. Undefined if the session can have none. */
  get background(): Pick<BackgroundCommands, 'running'> | undefined {
    return this.#place.background;
  }

  /** Ends a background command. Rejects with `ToolError` if it does not run. */
  async stopBackground(id: string): Promise<void> {
    this.#tapped('stopBackground', id);
    await this.#place.background?.stop(id, 'user');
  }

  /** Ends all background commands, because the session is about to be deleted. */
  async endBackground(): Promise<void> {
    this.#tapped('endBackground');
    await this.#place.background?.stopAll();
  }

  /** Logs what the background commands have changed until now, so that undo and review know it. */
  async reportBackground(): Promise<void> {
    this.#tapped('reportBackground');
    await this.#place.background?.reportChanges();
  }

  /** Chooses whether a background command outlives the session. */
  async keepBackground(id: string, kept: boolean): Promise<void> {
    this.#tapped('keepBackground', id, kept);
    await this.#place.background?.keep(id, kept);
  }

  /** Sends the request again immediately if the run is waiting to retry it. */
  retryNow(): void {
    this.#tapped('retryNow');
    this.#run?.retryNow();
  }

  /**
   * Stops the run, waits for an active restore, and lets another process write the log. Rejects where events
   * could not be written and are lost.
   */
  async close(): Promise<void> {
    this.#tapped('close');
    await this.#run?.leave();
    await this.#restores.settled();
    await this.#place.background?.close();
    await this.#place.changes.keepHeld();
    this.#closing.abort();
    await this.#log.close();
  }

  #tapped(name: SessionInput, ...given: readonly unknown[]): number {
    return this.#ports.tap?.input(name, given) ?? 0;
  }

  async #promptOf(content: string, attachments: readonly string[]): Promise<EventDraft> {
    const context = (await this.#ports.promptContext?.contextOf(content)) ?? '';
    return {
      type: 'user',
      content,
      ...(context !== '' && { context }),
      ...(attachments.length > 0 && { attachments: [...attachments] }),
    };
  }

  async #start(settings: () => Promise<RunSettings>, work: RunTask): Promise<EndReason> {
    if (this.busy) throw new BusyError();
    const run = new SessionRun(this.#place);
    this.#run = run;
    const rest = this.#log.atWork();
    try {
      return await run.perform(this.#ports.tap?.settings(settings) ?? settings, work);
    } finally {
      rest();
      this.#run = undefined;
      run.steering.close();
    }
  }

  async #retryUntilWritten(): Promise<void> {
    if (this.#isTrying) return;
    this.#isTrying = true;
    await retryUntilWritten(this.#log, () => this.#writer.sync(), this.#ports.clock, this.#closing.signal);
    this.#isTrying = false;
  }
}
