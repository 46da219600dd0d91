import type { Usage } from '../../ports/model.ts';
import { type Fields, fieldsOf } from '../http/fields.ts';

/** The usage in a chunk: its own, that of its choice (Moonshot), or that of Groq's extension. */
export function usageIn(chunk: Fields, choice: Fields | undefined): Fields | undefined {
  return fieldsOf(chunk.usage) ?? fieldsOf(choice?.usage) ?? fieldsOf(fieldsOf(chunk.x_groq)?.usage);
}

/** Cached tokens are a part of the prompt's, and reasoning one of the reply's, also where a server counts it apart. */
export function toUsage(wire: Fields): Usage {
  const prompt = fieldsOf(wire.prompt_tokens_details);
  const completion = fieldsOf(wire.completion_tokens_details);
  const input = count(wire.prompt_tokens) ?? 0;
  const output = count(wire.completion_tokens) ?? 0;
  const reasoningTokens = count(completion?.reasoning_tokens);
  return {
    inputTokens: input,
    // xAI and Gemini leave reasoning out of `completion_tokens`, but not out of the total.
    outputTokens: Math.max(output, (count(wire.total_tokens) ?? 0) - input),
    cacheReadTokens:
      count(prompt?.cached_tokens) ?? count(wire.prompt_cache_hit_tokens) ?? count(wire.cached_tokens) ?? 0,
    cacheWriteTokens: count(prompt?.cache_write_tokens) ?? 0,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(typeof wire.cost === 'number' && wire.cost >= 0 && { cost: wire.cost }),
  };
}

function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
