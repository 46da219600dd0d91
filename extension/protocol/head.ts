import * as z from 'zod/mini';
import { actionView, risk, runState } from './events.ts';

const count = z.int().check(z.nonnegative());

/** A call that waits for the user's decision. */
const approval = z.object({ id: z.string(), tool: z.string(), risk, action: actionView });
export type Approval = z.infer<typeof approval>;

/**
 * The state of a session after its last event, which the panel shows beside the conversation. Small, so it is
 * always sent whole.
 */
export const head = z.object({
  run: z.object({
    busy: z.boolean(),
    state: runState,
    message: z.string(),
    /** When `state` began, milliseconds since the epoch. */
    since: count,
  }),
  /** In the order of the requests. */
  approvals: z.array(approval),
  /** The failed request that Harness will send again; `since` is the time of the failure. */
  retry: z.optional(
    z.object({ attempt: z.int(), delayMs: count, code: z.string(), message: z.string(), since: count }),
  ),
  /** Tokens of the newest request with its reply. */
  tokens: count,
  /** The provider did not count these tokens; Harness estimated them. */
  estimated: z.optional(z.literal(true)),
  /** Set for a fork: events before this one are copied from the original session. */
  forkedAt: z.optional(count),
  /** US dollars of the whole session; absent if no price is known. */
  cost: z.optional(z.number()),
});
export type Head = z.infer<typeof head>;

export const emptyHead: Head = {
  run: { busy: false, state: 'idle', message: '', since: 0 },
  approvals: [],
  tokens: 0,
};
