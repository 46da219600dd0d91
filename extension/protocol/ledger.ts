import * as z from 'zod/mini';

const count = z.int().check(z.nonnegative());

/** What one model was asked, and what that took. */
const modelLedger = z.object({
  provider: z.string(),
  model: z.string(),
  requests: count,
  /** The whole prompts, cached parts included. */
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  /** US dollars; absent where the price of a request is unknown. */
  cost: z.optional(z.number()),
});
export type ModelLedger = z.infer<typeof modelLedger>;

/** What a session has used so far. */
export const ledger = z.object({
  /** In the order in which they were first asked. */
  models: z.array(modelLedger),
  prompts: count,
  /** Not counted is what the session has taken over from the one that it was forked from. */
  isFork: z.optional(z.literal(true)),
  /** Milliseconds in which runs were on, waiting for answers included. */
  milliseconds: count,
});
export type Ledger = z.infer<typeof ledger>;
