import type { EndReason, EventDraft, SessionEvent } from '../../protocol/events.ts';
import type { Run } from '../loop/run.ts';
import { runPrompt } from '../loop/run-prompt.ts';
import type { RunSettings } from '../loop/run-settings.ts';
import { SetupError } from '../loop/setup-error.ts';
import { Gate, type GatePorts } from '../permission/gate.ts';
import type { SessionLog } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { Shell } from '../ports/shell.ts';
import type { Tool } from '../tools/tool.ts';
import { Recorder, type SessionListener } from './recorder.ts';
import { closeInterrupted, unwritable } from './recovery.ts';
import { SeenFilesFold } from './seen-files.ts';
import { Transcript } from './transcript.ts';

export interface SessionPorts extends GatePorts {
  readonly shell: Shell;
  readonly logger: Logger;
  readonly tools: readonly Tool[];
  /** In [0, 1). */
  readonly random: () => number;
}

/** How a run that is on can be reached from outside. */
interface RunControl {
  readonly controller: AbortController;
  retryNow: () => void;
  ended: Promise<EndReason | undefined>;
  /** The session is being closed. */
  isLeft: boolean;
}

const LEFT = { type: 'notice', message: 'The session was closed while this was running.' } as const;

/** A prompt came while a run is on. */
export class BusyError extends Error {
  constructor() {
    super('A run is on in this session. Wait until it ends, or stop it.');
  }
}

/** Characters of one tool result that the model gets; about 60,000 tokens. */
const MAX_RESULT_CHARS = 200_000;

/** One conversation: its log, what is folded from it, and at most one run at a time. */
export class Session {
  readonly id: string;
  readonly #log: SessionLog;
  readonly #ports: SessionPorts;
  readonly #recorder: Recorder;
  readonly #gate: Gate;
  readonly #transcript = new Transcript();
  readonly #seen = new SeenFilesFold();
  readonly #events: SessionEvent[] = [];
  readonly #callIds = new Set<string>();
  #turn = 0;
  /** The end of a run that the log did not take; the next run writes it first. */
  #unwritten: readonly EventDraft[] = [];
  #request = 0;
  #run: RunControl | undefined;

  /** Closes what an earlier process left open. Rejects where the log cannot be written. */
  static async open(log: SessionLog, ports: SessionPorts): Promise<Session> {
    const session = new Session(log, ports);
    session.#apply(log.past);
    const repairs = log.repairs.map((message) => ({ type: 'notice', message }) as const);
    const drafts = [...repairs, ...closeInterrupted(log.past)];
    if (drafts.length > 0) await session.#recorder.append(...drafts);
    return session;
  }

  private constructor(log: SessionLog, ports: SessionPorts) {
    this.id = log.id;
    this.#log = log;
    this.#ports = ports;
    this.#recorder = new Recorder(log, ports.logger);
    this.#recorder.subscribe({ onEvents: (events) => this.#apply(events) });
    this.#gate = new Gate(log.id, this.#recorder, ports);
  }

  get busy(): boolean {
    return this.#run !== undefined;
  }

  /** Everything in the log, in order. */
  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  /**
   * The end of a run that the log did not take, as it will stand behind `events` once the log can be written. For whoever
   * shows the session: the run is over all the same.
   */
  get unwritten(): readonly SessionEvent[] {
    const last = this.#events.at(-1);
    return this.#unwritten.map((draft, index) => ({
      ...draft,
      timestamp: last?.timestamp ?? 0,
      session: this.id,
      seq: (last?.seq ?? 0) + index + 1,
      prev: '',
    }));
  }

  /** Returns the undo. */
  subscribe(listener: SessionListener): () => void {
    return this.#recorder.subscribe(listener);
  }

  /**
   * Works on a prompt until the agent stops. `settings` may reject with `SetupError`, which ends the run with that error
   * in the log. Rejects with `BusyError`, or where the log cannot be written.
   */
  prompt(content: string, settings: () => Promise<RunSettings>): Promise<EndReason> {
    return this.#start(settings, () => this.#recorder.append({ type: 'user', content }));
  }

  /** Goes on without a new prompt: after an error, a cut reply or the turn limit. */
  continue(settings: () => Promise<RunSettings>): Promise<EndReason> {
    return this.#start(settings, async () => {
      if (this.#transcript.endsWithUser()) return;
      await this.#recorder.append({
        type: 'notice',
        message: 'Continued.',
        toModel: 'Go on where you stopped.',
      });
    });
  }

  /** Stops the run, wherever it is. Does nothing when none is on. */
  cancel(): void {
    this.#run?.controller.abort();
  }

  /** Sends again at once where a retry is waiting. */
  retryNow(): void {
    this.#run?.retryNow();
  }

  /** Stops the run and lets another process write the log. */
  async close(): Promise<void> {
    if (this.#run) this.#run.isLeft = true;
    this.cancel();
    await this.#run?.ended.catch(() => undefined);
    await this.#log.close();
  }

  async #start(settings: () => Promise<RunSettings>, begin: () => Promise<void>): Promise<EndReason> {
    if (this.#run) throw new BusyError();
    const controller = new AbortController();
    const run: RunControl = {
      controller,
      retryNow: () => {},
      ended: Promise.resolve(undefined),
      isLeft: false,
    };
    this.#run = run;
    const ended = this.#work(settings, begin, run);
    run.ended = ended;
    try {
      return await ended;
    } catch (error) {
      if (this.#unwritten.length === 0) this.#unwritten = closeInterrupted(this.#events, unwritable(error));
      throw error;
    } finally {
      this.#run = undefined;
    }
  }

  async #work(
    settings: () => Promise<RunSettings>,
    begin: () => Promise<void>,
    control: RunControl,
  ): Promise<EndReason> {
    if (this.#unwritten.length > 0) await this.#recorder.append(...this.#unwritten);
    this.#unwritten = [];
    await begin();
    const turn = this.#turn + 1;
    await this.#recorder.append({ type: 'turn_started', turn });
    const reason = await this.#reasonOf(settings, control);
    const state = reason === 'error' ? 'error' : 'idle';
    await this.#recorder.append(
      ...(control.isLeft && reason === 'cancelled' ? [LEFT] : []),
      { type: 'status', state, message: '' },
      { type: 'turn_ended', turn, reason },
    );
    return reason;
  }

  async #reasonOf(settings: () => Promise<RunSettings>, control: RunControl): Promise<EndReason> {
    try {
      const ready = await unlessAborted(settings(), control.controller.signal);
      return ready ? await runPrompt(this.#runOf(ready, control)) : 'cancelled';
    } catch (error) {
      // Where the log is what failed, this rejects too, and the next prompt closes what is open.
      const { code, message } = this.#explain(error);
      await this.#recorder.append({ type: 'error', code, message, retryable: true });
      return 'error';
    }
  }

  #explain(error: unknown): { readonly code: string; readonly message: string } {
    if (error instanceof SetupError) return error;
    this.#ports.logger.error(
      `A run failed unexpectedly: ${error instanceof Error ? error.stack : String(error)}`,
    );
    return {
      code: 'internal',
      message: `Something in Harness failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }

  #runOf(
    settings: RunSettings,
    control: { readonly controller: AbortController; retryNow: () => void },
  ): Run {
    const { workspace, shell, tools, clock, logger, random } = this.#ports;
    return {
      ...settings,
      maxResultChars: MAX_RESULT_CHARS,
      tools,
      toolContext: { workspace, shell, seen: this.#seen, timeoutMs: settings.timeoutMs },
      remember: (files) => {
        for (const [path, file] of Object.entries(files)) this.#seen.set(path, file);
      },
      gate: this.#gate,
      recorder: this.#recorder,
      transcript: this.#transcript,
      clock,
      logger,
      random,
      nextRequest: () => this.#request + 1,
      uniqueCallId: (id) => this.#uniqueCallId(id),
      retryNow: () =>
        new Promise((resolve) => {
          control.retryNow = resolve;
        }),
      signal: control.controller.signal,
    };
  }

  #uniqueCallId(id: string): string {
    let unique = id || 'call';
    for (let n = 2; this.#callIds.has(unique); n++) unique = `${id || 'call'}_${n}`;
    return unique;
  }

  #apply(events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#transcript.apply(event);
      this.#seen.apply(event);
      if (event.type === 'turn_started') this.#turn = event.turn;
      if (event.type === 'request_started') this.#request = event.request;
      if (event.type === 'tool_call') this.#callIds.add(event.id);
    }
  }
}

/** Undefined when the signal is aborted first; what comes of `work` later is nobody's concern. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}
