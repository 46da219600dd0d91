import type { Usage } from '../../ports/model.ts';
import { costOf } from './models.ts';

/** The `usage` of a response, as far as it is read. */
export interface WireUsage {
  readonly input_tokens?: unknown;
  readonly input_tokens_details?: {
    readonly cached_tokens?: unknown;
    readonly cache_write_tokens?: unknown;
  } | null;
  readonly output_tokens?: unknown;
  readonly output_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
}

/** The cached tokens are a part of the input, and those of thinking a part of the output. */
export function toUsage(
  { input_tokens, input_tokens_details: read, output_tokens, output_tokens_details: written }: WireUsage,
  model: string,
): Usage {
  const inputTokens = count(input_tokens) ?? 0;
  const outputTokens = count(output_tokens) ?? 0;
  const cacheReadTokens = Math.min(count(read?.cached_tokens) ?? 0, inputTokens);
  const cacheWriteTokens = Math.min(count(read?.cache_write_tokens) ?? 0, inputTokens - cacheReadTokens);
  const reasoningTokens = count(written?.reasoning_tokens);
  const cost = costOf(model, {
    input: inputTokens - cacheReadTokens - cacheWriteTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
    output: outputTokens,
  });
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cost !== undefined && { cost }),
  };
}

function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
