import * as z from 'zod/mini';

const count = z.int().check(z.nonnegative());

/** The requests to one model, and their usage. */
const modelLedger = z.object({
  provider: z.string(),
  model: z.string(),
  requests: count,
  /** Tokens of the whole prompts, cached parts included. */
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  /** Requests with a reply whose tokens the provider did not report. The tokens here exclude them. */
  unreported: z.optional(count),
  /** Some of the tokens were estimated. */
  estimated: z.optional(z.literal(true)),
  /** US dollars; absent if the price of a request is unknown. */
  cost: z.optional(z.number()),
});
export type ModelLedger = z.infer<typeof modelLedger>;

/** What a session has used so far. */
export const ledger = z.object({
  /** In the order of their first requests. */
  models: z.array(modelLedger),
  prompts: count,
  /** Does not include the usage of the session that it was forked from. */
  isFork: z.optional(z.literal(true)),
  /** Milliseconds during which runs were active, including waits for answers. */
  milliseconds: count,
});
export type Ledger = z.infer<typeof ledger>;
