// The lines of a turn's log, as they are read back. What a field holds beyond its type is not looked at: the log was
// written by `TurnLog`, and a line that was damaged is no JSON.
import * as z from 'zod/mini';

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

/** An event's line, by its kind. */
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
