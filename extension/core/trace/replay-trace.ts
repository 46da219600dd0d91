import * as z from 'zod/mini';
import { say } from '../../protocol/say.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelError, ModelEvent, Turn, Usage } from '../ports/model.ts';
import type { ScriptedReply } from '../ports/testing/scripted-model.ts';
import type { TurnOutcome } from '../ports/trace-sink.ts';

export interface LoggedEvent {
  readonly event: ModelEvent;
  /** Milliseconds since the previous event. */
  readonly latencyMs: number;
}

/** A turn as read from its log. */
export interface LoggedTurn {
  /** Undefined if the log does not begin with the start of the turn. */
  readonly provider: string | undefined;
  /** The turn, without the bytes of its images. */
  readonly turn: Turn | undefined;
  readonly events: readonly LoggedEvent[];
  /** Undefined if the log ends before the turn did. */
  readonly end:
    | { readonly outcome: TurnOutcome; readonly usage?: Usage | undefined; readonly totalMs: number }
    | undefined;
  /** What is damaged or missing in the log, one sentence each. The other fields have the intact parts. */
  readonly problems: readonly string[];
}

/** Parses what `withLogger` wrote, one record per line. Never throws. */
export function parseLog(text: string): LoggedTurn {
  const reader = new LogReader();
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) if (line.trim() !== '') reader.read(line, index + 1);
  return reader.result();
}

/** Yields the logged events again, for a `ScriptedModel`. With `clock`, keeps the pauses between them. */
export async function* replayOf(
  { events, end }: LoggedTurn,
  signal: AbortSignal,
  clock?: Clock,
): AsyncGenerator<ModelEvent> {
  for (const { event, latencyMs } of events) {
    if (clock && latencyMs > 0) await clock.sleep(latencyMs, signal);
    yield event;
  }
  const last = events.at(-1)?.event.type;
  if (last !== 'done' && last !== 'error' && end?.outcome !== 'aborted') yield { type: 'error', error: CUT };
}

/** Converts logged turns to the replies of a `ScriptedModel`. */
export function repliesOf(turns: readonly LoggedTurn[], clock?: Clock): ScriptedReply[] {
  return turns.map((logged) => (_turn, signal) => replayOf(logged, signal, clock));
}

const CUT: ModelError = {
  kind: 'stream_incomplete',
  message: say('The log ends before the response was complete.'),
  retryable: false,
};

class LogReader {
  readonly #events: LoggedEvent[] = [];
  readonly #problems: string[] = [];
  #start: Pick<LoggedTurn, 'provider' | 'turn'> = { provider: undefined, turn: undefined };
  #end: LoggedTurn['end'];

  read(line: string, number: number): void {
    const record = parseRecord(line);
    if (record === undefined) this.#problems.push(say('Line {0} is damaged and was skipped.', number));
    else if (!this.#take(record))
      this.#problems.push(say('Line {0} does not belong to a turn’s log and was skipped.', number));
  }

  result(): LoggedTurn {
    const problems = [...this.#problems];
    if (!this.#start.turn) problems.push(say('The start of the turn is missing.'));
    if (!this.#end) problems.push(say('The log ends before the turn ends.'));
    return { ...this.#start, events: this.#events, end: this.#end, problems };
  }

  /** False for a record that no logger wrote. */
  #take(record: Readonly<Record<string, unknown>>): boolean {
    switch (record.type) {
      case 'turn_start':
        return this.#takeStart(record);
      case 'event':
        return this.#takeEvent(record);
      case 'turn_end':
        return this.#takeEnd(record);
      case 'cut':
        this.#problems.push(say('The log became too long. Later events are not in it.'));
        return true;
      default:
        return ['request', 'response', 'wire', 'raw_event'].includes(String(record.type));
    }
  }

  #takeStart(record: object): boolean {
    const { success, data } = turnStart.safeParse(record);
    // `TurnLog` wrote a `Turn`. The schema checked its outline.
    if (success) this.#start = { provider: data.provider, turn: data.turn as unknown as Turn };
    return success;
  }

  #takeEvent(record: Readonly<Record<string, unknown>>): boolean {
    const parsed = eventLines.get(String(record.kind))?.safeParse(record);
    if (!parsed?.success) return false;
    const { ts: _ts, type: _type, kind, latency_ms: latencyMs, ...fields } = { ts: '', ...parsed.data };
    // The schema of this kind checked the fields.
    this.#events.push({ event: { type: kind, ...fields } as ModelEvent, latencyMs });
    return true;
  }

  #takeEnd(record: object): boolean {
    const { success, data } = turnEnd.safeParse(record);
    if (success) this.#end = { outcome: data.outcome, usage: data.usage, totalMs: data.total_ms };
    return success;
  }
}

/** Undefined if the line is no JSON object. */
function parseRecord(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // Any object can be read by field name.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The caller reports the damaged line.
    return undefined;
  }
}

// The schemas of the lines of a turn's log. They check the types of fields and nothing more: `TurnLog` wrote
// the log, and a damaged line is not valid JSON.

const text = z.string();
const count = z.number().check(z.nonnegative());
const opaque = z.object({ provider: text, model: text, data: z.unknown() });
const usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: z.optional(count),
  cost: z.optional(count),
});
const error = z.object({
  kind: text,
  message: text,
  retryable: z.boolean(),
  retryAfterMs: z.optional(count),
  status: z.optional(z.number()),
});
const stop = z.enum(['end', 'tool_calls', 'length', 'pause', 'refusal', 'context_exceeded']);

const kinds = {
  text_delta: { text },
  reasoning_delta: { text },
  tool_input_delta: { id: text, name: text, bytes: count },
  text: { text, preamble: z.optional(z.literal(true)), opaque: z.optional(opaque) },
  reasoning: { text, opaque: z.optional(opaque) },
  provider_block: { opaque },
  tool_call: {
    id: text,
    name: text,
    input: z.record(text, z.unknown()),
    invalid: z.optional(text),
    opaque: z.optional(opaque),
  },
  usage: { usage },
  done: { stop, cutCall: z.optional(text) },
  error: { error },
} as const;

/** The schema of an event's line, by the kind of the event. */
export const eventLines = new Map(
  Object.entries(kinds).map(([kind, fields]) => [
    kind,
    z.object({ type: z.literal('event'), kind: z.literal(kind), latency_ms: count, ...fields }),
  ]),
);

export const turnStart = z.object({
  type: z.literal('turn_start'),
  version: z.literal(1),
  provider: text,
  turn: z.looseObject({
    model: text,
    system: text,
    messages: z.array(
      z.looseObject({ role: z.enum(['user', 'assistant']), content: z.array(z.looseObject({ type: text })) }),
    ),
    tools: z.array(z.looseObject({ name: text })),
    maxTokens: count,
  }),
});

export const turnEnd = z.object({
  type: z.literal('turn_end'),
  outcome: z.enum(['done', 'error', 'aborted', 'left']),
  usage: z.optional(usage),
  total_ms: count,
});
