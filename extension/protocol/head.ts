import * as z from 'zod/mini';
import { actionView, risk, runState } from './events.ts';

const count = z.int().check(z.nonnegative());

/** A call that waits for a person. */
const approval = z.object({ id: z.string(), tool: z.string(), risk, action: actionView });
export type Approval = z.infer<typeof approval>;

/** Where a session stands after its last event: what the panel shows beside the conversation. Whole each time; small. */
export const head = z.object({
  run: z.object({
    busy: z.boolean(),
    state: runState,
    message: z.string(),
    /** When `state` began, milliseconds since the epoch. */
    since: count,
  }),
  /** In the order in which they were asked. */
  approvals: z.array(approval),
  /** The failed request that waits to be sent again; `since` is the time of the failure. */
  retry: z.optional(
    z.object({ attempt: z.int(), delayMs: count, code: z.string(), message: z.string(), since: count }),
  ),
  /** Of the newest request with its reply. */
  tokens: count,
  /** Of a fork: events before this one are those of the session that it was made from. */
  forkedAt: z.optional(count),
  /** US dollars of the whole session; absent where no price is known. */
  cost: z.optional(z.number()),
});
export type Head = z.infer<typeof head>;

export const emptyHead: Head = {
  run: { busy: false, state: 'idle', message: '', since: 0 },
  approvals: [],
  tokens: 0,
};
