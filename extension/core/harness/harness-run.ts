import { ChangeTracker } from '../files/change-tracker.ts';
import type { Run } from '../loop/run.ts';
import { Steering } from '../loop/steering.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { ModelProvider, Turn } from '../ports/model.ts';
import { uniqueCallId } from '../session/unique-call-id.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { HarnessEvent } from './events.ts';
import { TurnRecorder } from './turn-recorder.ts';

/** What a harness works with. */
export interface Workbench {
  readonly provider: ModelProvider;
  readonly request: Turn;
  readonly clock: Clock;
  readonly random: () => number;
}

/** What its tools are, and who hears what happens. */
export interface RunPart {
  readonly tools: readonly Tool[];
  readonly gate: Run['gate'];
  readonly maxTurns: number;
  readonly signal: AbortSignal;
  onEvent(event: HarnessEvent): void;
}

/** The loop takes care that nothing throws; what did all the same is told as an error of kind `internal` or `server`. */
const SILENT: Logger = { warn: () => {}, error: () => {} };

/** A session's run without a session. */
export function createRun(
  { provider, request, clock, random }: Workbench,
  { tools, gate, maxTurns, signal, onEvent }: RunPart,
): Run & { readonly recorder: TurnRecorder } {
  const callIds = new Set(callIdsOf(request));
  let requests = 0;
  const recorder = new TurnRecorder(request.messages, clock, SILENT, (event) => {
    if (event.type === 'tool_call') callIds.add(event.id);
    if (!signal.aborted) onEvent(event);
  });
  const { model, system, maxTokens, effort, session = '' } = request;
  const chosen = {
    ...{ provider, model, system, maxTokens, effort, maxTurns },
    maxToolCallsPerTurn: Number.POSITIVE_INFINITY,
    timeoutMs: 0,
  };
  return {
    ...chosen,
    ...{ chosen, session, tools, gate, recorder, clock, random, signal },
    settings: async () => chosen,
    // It has one model.
    use: () => {},
    maxResultChars: Number.POSITIVE_INFINITY,
    // The tools of a harness bring what they need along and never look at it.
    toolContext: {} as ToolContext,
    remember: () => {},
    // Nothing of it is cut.
    withoutSecrets: (value) => value,
    changes: new ChangeTracker(undefined),
    transcript: recorder,
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
