import type { Usage } from '../../ports/model.ts';
import { costOf } from './models.ts';

/** The `usage` of `message_start` and `message_delta`, as far as it is read. */
export interface WireUsage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly cache_read_input_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: unknown } | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: unknown } | null;
}

/** Counts are cumulative and may be null: the last one that is a number holds, nothing is added up. */
export class TokenUsage {
  #seen = false;
  #input = 0;
  #output = 0;
  #thinking: number | undefined;
  #cacheRead = 0;
  #cacheWrite = 0;
  #cacheWrite1h = 0;

  update(usage: WireUsage | null | undefined): void {
    if (!usage) return;
    this.#seen = true;
    this.#input = count(usage.input_tokens, this.#input);
    this.#output = count(usage.output_tokens, this.#output);
    this.#thinking = count(usage.output_tokens_details?.thinking_tokens, this.#thinking);
    this.#cacheRead = count(usage.cache_read_input_tokens, this.#cacheRead);
    this.#cacheWrite = count(usage.cache_creation_input_tokens, this.#cacheWrite);
    this.#cacheWrite1h = count(usage.cache_creation?.ephemeral_1h_input_tokens, this.#cacheWrite1h);
  }

  /** Undefined as long as nothing was told. */
  of(model: string): Usage | undefined {
    if (!this.#seen) return undefined;
    const cost = this.#cost(model);
    return {
      inputTokens: this.#input + this.#cacheRead + this.#cacheWrite,
      outputTokens: this.#output,
      cacheReadTokens: this.#cacheRead,
      cacheWriteTokens: this.#cacheWrite,
      ...(this.#thinking !== undefined && { reasoningTokens: this.#thinking }),
      ...(cost !== undefined && { cost }),
    };
  }

  #cost(model: string): number | undefined {
    const cacheWrite1h = Math.min(this.#cacheWrite1h, this.#cacheWrite);
    return costOf(model, {
      input: this.#input,
      output: this.#output,
      cacheRead: this.#cacheRead,
      cacheWrite5m: this.#cacheWrite - cacheWrite1h,
      cacheWrite1h,
    });
  }
}

function count<Otherwise>(value: unknown, otherwise: Otherwise): number | Otherwise {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : otherwise;
}
