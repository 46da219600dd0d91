import type { DeltaDraft } from '../../protocol/delta.ts';
import type { EventDraft, SessionEvent } from '../../protocol/events.ts';
import { ChangeTracker } from '../checkpoints/change-tracker.ts';
import { LogWriter } from '../log/log-writer.ts';
import { MemorySessionLog } from '../log/memory-session-log.ts';
import { uniqueCallId } from '../log/session-fold.ts';
import { Transcript } from '../log/transcript.ts';
import type { Run } from '../loop/run.ts';
import { RunningCalls } from '../loop/running-calls.ts';
import { Steering } from '../loop/steering.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Message, ModelProvider, Turn } from '../ports/model.ts';
import type { Tool, ToolContext } from '../tools/common/tool.ts';
import { fromSessionEvent, type HarnessEvent } from './events.ts';

/** What a harness works with. */
export interface Workbench {
  readonly provider: ModelProvider;
  readonly request: Turn;
  readonly clock: Clock;
  readonly random: () => number;
}

/** The tools of a run, and the receiver of its events. */
export interface RunPart {
  readonly tools: readonly Tool[];
  readonly gate: Run['gate'];
  readonly maxTurns: number;
  readonly signal: AbortSignal;
  onEvent(event: HarnessEvent): void;
}

/** The loop catches what is thrown, and reports it as an error of kind `internal` or `server`. */
const SILENT: Logger = { warn: () => {}, error: () => {} };

/** A session's run without a session. */
export function createRun(
  { provider, request, clock, random }: Workbench,
  { tools, gate, maxTurns, signal, onEvent }: RunPart,
): Run & { readonly writer: TurnWriter } {
  const callIds = new Set(callIdsOf(request));
  let requests = 0;
  const writer = new TurnWriter(request.messages, clock, SILENT, (event) => {
    if (event.type === 'tool_call') callIds.add(event.id);
    if (!signal.aborted) onEvent(event);
  });
  const { model, system, maxTokens, effort, session = '' } = request;
  const chosen = {
    ...{ provider, model, system, maxTokens, effort, maxTurns },
    maxToolCallsPerTurn: Number.POSITIVE_INFINITY,
    toolOrder: 'strict' as const,
    timeoutMs: 0,
  };
  return {
    ...chosen,
    ...{ chosen, session, tools, gate, writer, clock, random, signal },
    settings: async () => chosen,
    // The run has only one model.
    use: () => {},
    maxResultChars: Number.POSITIVE_INFINITY,
    // The tools of a harness never use the context.
    toolContext: {} as ToolContext,
    running: new RunningCalls(),
    remember: () => {},
    cwd: '',
    // Nothing is cut, so no secret is either.
    withoutSecrets: (value) => value,
    changes: new ChangeTracker(undefined),
    transcript: writer,
    images: { load: async (messages) => messages },
    steering: new Steering(),
    logger: SILENT,
    nextRequest: () => ++requests,
    uniqueCallId: (id) => uniqueCallId(id, callIds),
    retryNow: () => new Promise(() => {}),
  };
}

function callIdsOf({ messages }: Turn): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_call' ? block.id : [])),
  );
}

/**
 * Receives what the loop would write into a session's log. Stores it for one turn and emits it as events of a
 * harness.
 */
export class TurnWriter implements Pick<LogWriter, 'stage' | 'flush' | 'append' | 'sync' | 'delta'> {
  /** How the newest reply ended. */
  stop = '';
  readonly #writer: LogWriter;
  readonly #transcript = new Transcript({ isContinuation: true });
  readonly #given: readonly Message[];
  readonly #clock: Clock;
  readonly #emit: (event: HarnessEvent) => void;

  constructor(given: readonly Message[], clock: Clock, logger: Logger, emit: (event: HarnessEvent) => void) {
    this.#given = given;
    this.#clock = clock;
    this.#emit = emit;
    this.#writer = new LogWriter(new MemorySessionLog('', clock), logger);
    this.#writer.subscribe({
      onEvents: (events) => {
        for (const event of events) this.#take(event);
      },
    });
  }

  stage(...drafts: readonly EventDraft[]): void {
    this.#writer.stage(...drafts.map(plainResult));
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  async append(...drafts: readonly EventDraft[]): Promise<void> {
    this.stage(...drafts);
    await this.flush();
  }

  async sync(): Promise<void> {}

  delta(draft: DeltaDraft): void {
    const timestamp = this.#clock.now();
    if (draft.type === 'reasoning_delta') {
      this.#emit({ timestamp, type: 'thinking_delta', text: draft.text });
    } else if (draft.type !== 'tool_output_delta') this.#emit({ timestamp, ...draft });
  }

  /** The given messages, followed by those of this turn. */
  messages(): readonly Message[] {
    return [...this.#given, ...this.#transcript.messages()];
  }

  #take(event: SessionEvent): void {
    this.#transcript.apply(event);
    if (event.type === 'request_ended') this.stop = event.stop;
    for (const emitted of fromSessionEvent(event)) this.#emit(emitted);
  }
}

/** Unwraps a result, because a handler's answer is plain text and the loop wraps it in an object. */
function plainResult(draft: EventDraft): EventDraft {
  if (draft.type !== 'tool_result') return draft;
  // The loop wrote this JSON: its own failures have an `error`, a handler's answer has `content`.
  const { content, error } = JSON.parse(draft.result) as { content?: string; error?: string };
  return { ...draft, result: content ?? error ?? '', rendering: undefined };
}
