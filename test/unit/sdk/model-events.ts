// Any replies that the port allows.
import * as fc from 'fast-check';
import type { ModelEvent, Usage } from '../../../extension/core/ports/model.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const count = fc.nat();
const opaque = fc.record({ provider: text, model: text, data: fc.jsonValue() });
const input = fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 });

const usage: fc.Arbitrary<Usage> = fc.record(
  {
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    reasoningTokens: count,
  },
  { requiredKeys: ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] },
);

const block: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.record({ type: fc.constant('text_delta' as const), text }),
  fc.record({ type: fc.constant('reasoning_delta' as const), text }),
  fc.record({ type: fc.constant('tool_input_delta' as const), id: text, name: text, bytes: count }),
  fc.record(
    { type: fc.constant('text' as const), text, preamble: fc.constant(true as const), opaque },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record({ type: fc.constant('reasoning' as const), text, opaque }, { requiredKeys: ['type', 'text'] }),
  fc.record({ type: fc.constant('provider_block' as const), opaque }),
  fc.record(
    { type: fc.constant('tool_call' as const), id: text, name: text, input, invalid: text, opaque },
    { requiredKeys: ['type', 'id', 'name', 'input'] },
  ),
  fc.record({ type: fc.constant('usage' as const), usage }),
);

const last: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.record({
    type: fc.constant('done' as const),
    stop: fc.constantFrom('end', 'tool_calls', 'length', 'pause', 'refusal', 'context_exceeded'),
  }),
  fc.record({
    type: fc.constant('error' as const),
    error: fc.record(
      {
        kind: fc.constantFrom('rate_limit', 'network'),
        message: text,
        retryable: fc.boolean(),
        retryAfterMs: count,
        status: count,
      },
      { requiredKeys: ['kind', 'message', 'retryable'] },
    ),
  }),
);

export const modelEvents: fc.Arbitrary<ModelEvent[]> = fc
  .tuple(fc.array(block, { maxLength: 12 }), last)
  .map(([blocks, end]) => [...blocks, end]);
