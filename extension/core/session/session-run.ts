import type { EndReason, EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { BackgroundCommands } from '../background/background-commands.ts';
import { unlessAborted } from '../base/abort.ts';
import type { ChangeTracker } from '../checkpoints/change-tracker.ts';
import { endForModel } from '../context/end-of-run.ts';
import { imagesSentAgain } from '../context/image-limits.ts';
import type { Images } from '../context/images.ts';
import type { KeptImages } from '../context/kept-images.ts';
import { limitsContext } from '../context/limits.ts';
import { missingContext } from '../context/missing-context.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { RequestPrefixes } from '../log/request-prefix.ts';
import type { SessionFold } from '../log/session-fold.ts';
import { describeRunFailure } from '../loop/describe-error.ts';
import type { Run } from '../loop/run.ts';
import type { RunSettings } from '../loop/run-settings.ts';
import { RunningCalls } from '../loop/running-calls.ts';
import { Steering } from '../loop/steering.ts';
import type { Gate } from '../permission/gate.ts';
import type { ContextWishes } from '../ports/context-source.ts';
import type { SessionOutputs } from '../ports/session-outputs.ts';
import { offeredTools } from '../tools/common/tool.ts';
import type { SessionPorts } from './session-ports.ts';

/** What a session provides to its runs. */
export interface RunContext {
  readonly session: string;
  readonly ports: SessionPorts;
  readonly writer: LogWriter;
  readonly gate: Gate;
  readonly changes: ChangeTracker;
  readonly fold: SessionFold;
  readonly images: Images;
  readonly keptImages: KeptImages;
  readonly prefixes: RequestPrefixes;
  readonly outputs: SessionOutputs | undefined;
  readonly background: BackgroundCommands | undefined;
}

export interface RunTask {
  /** Returns the events that the run begins with. */
  begin(): Promise<readonly EventDraft[]>;
  /** Called after these events are in the log. */
  onBegun?(): void;
  run(run: Run): Promise<EndReason>;
  /** Whether the model first gets what has changed around the conversation. */
  readonly sendsContext: boolean;
  readonly wishes?: ContextWishes;
  /** Whether the user can choose “Continue” after an error. */
  readonly retryable: boolean;
}

const LEFT = { type: 'notice', message: say('The session was closed while this was running.') } as const;

/** Limit for one tool result that the model gets, in characters; about 60,000 tokens. */
const MAX_RESULT_CHARS = 200_000;

/** One run of a session, from its first event to its end in the log. */
export class SessionRun {
  /** Messages that the user sends to the run. */
  readonly steering = new Steering();
  readonly running = new RunningCalls();
  readonly #place: RunContext;
  readonly #controller = new AbortController();
  #sendNow = () => {};
  /** Undefined before they are known. */
  #settings: RunSettings | undefined;
  #isLeft = false;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(place: RunContext) {
    this.#place = place;
  }

  /**
   * The caller must call this only once. If `settings` rejects with `SetupError`, the run ends with that
   * error in the log.
   */
  perform(settings: () => Promise<RunSettings>, work: RunTask): Promise<EndReason> {
    const ended = this.#perform(settings, work);
    this.#ended = ended.catch(() => undefined);
    return ended;
  }

  /** Stops the run at any point. */
  cancel(): void {
    this.#controller.abort();
  }

  /** Stops the run because its session closes. Resolves after the run has ended. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    this.cancel();
    await this.#ended;
  }

  /** Sends the request again immediately if the run is waiting to retry it. */
  retryNow(): void {
    this.#sendNow();
  }

  async #perform(settings: () => Promise<RunSettings>, work: RunTask): Promise<EndReason> {
    const { fold, writer } = this.#place;
    const begun = await work.begin();
    const turn = fold.turn + 1;
    await writer.append(...begun, { type: 'turn_started', turn });
    work.onBegun?.();
    const reason = await this.#reasonOf(settings, work);
    const state = reason === 'error' ? 'error' : 'idle';
    const toModel = work.sendsContext ? this.#endForModel(reason) : undefined;
    await writer.append(
      ...(this.#isLeft && reason === 'cancelled' ? [LEFT] : []),
      { type: 'status', state, message: '' },
      { type: 'turn_ended', turn, reason, ...(toModel !== undefined && { toModel }) },
    );
    return reason;
  }

  #endForModel(reason: EndReason): string | undefined {
    const { events } = this.#place.fold;
    const start = events.findLastIndex(({ type }) => type === 'turn_started');
    const { maxTurns = 0 } = this.#settings ?? {};
    return endForModel({ reason, events: events.slice(start), maxTurns, isLeft: this.#isLeft });
  }

  async #reasonOf(settings: () => Promise<RunSettings>, work: RunTask): Promise<EndReason> {
    const { ports, writer } = this.#place;
    try {
      const ready = await unlessAborted(settings(), this.#controller.signal);
      this.#settings = ready;
      if (ready && work.sendsContext) await this.#sendContext(ready, work.wishes);
      return ready ? await work.run(this.#runWith(ready, settings)) : 'cancelled';
    } catch (error) {
      const { code, message } = describeRunFailure(error, ports.logger);
      await writer.append({ type: 'error', code, message, retryable: work.retryable });
      return 'error';
    }
  }

  async #sendContext(settings: RunSettings, wishes: ContextWishes | undefined): Promise<void> {
    const { ports, writer, fold } = this.#place;
    const { signal } = this.#controller;
    if (!ports.context) return;
    const wanted = await unlessAborted(ports.context(fold.seen.paths, signal, wishes), signal);
    if (!wanted || signal.aborted) return;
    const missing = missingContext(fold.transcript.messages(), [...wanted, limitsContext(settings)]);
    writer.stage(...missing);
  }

  #runWith(chosen: RunSettings, settings: () => Promise<RunSettings>): Run {
    const { session, ports, fold, writer, gate, changes, images, keptImages, prefixes, outputs, background } =
      this.#place;
    const { workspace, shell, languageServers, tools, clock, logger, random } = ports;
    const run: Run = {
      ...chosen,
      chosen,
      settings,
      use: (settings) => {
        const { provider = run.provider } = settings;
        Object.assign(run, settings, { tools: offeredTools(tools, provider, languageServers) });
      },
      session,
      cwd: fold.transcript.cwd,
      maxResultChars: MAX_RESULT_CHARS,
      tools: offeredTools(tools, chosen.provider, languageServers),
      toolContext: {
        workspace,
        shell,
        languageServers,
        seen: fold.seen,
        timeoutMs: chosen.timeoutMs,
        background,
        keepImage: (bytes, path) => keptImages.keep(bytes, path, imagesSentAgain(fold.events)),
        withoutSecrets: (text, isOutput) => writer.textWithoutSecrets(text, isOutput),
      },
      remember: (files) => {
        for (const [path, file] of Object.entries(files)) fold.seen.remember(path, file);
      },
      gate,
      changes,
      writer,
      withoutSecrets: (value) => writer.withoutSecrets(value),
      transcript: fold.transcript,
      images,
      steering: this.steering,
      running: this.running,
      ...(outputs && { keepOutput: (call, text) => outputs.keep(`result ${call}`, text) }),
      clock,
      logger,
      random,
      nextRequest: () => fold.request + 1,
      keepPrefix: (prefix) => prefixes.keep(prefix),
      uniqueCallId: (id) => fold.uniqueCallId(id),
      retryNow: () =>
        new Promise((resolve) => {
          this.#sendNow = resolve;
        }),
      signal: this.#controller.signal,
    };
    return run;
  }
}
