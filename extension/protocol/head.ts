import * as z from 'zod/mini';
import { actionView, risk, runState } from './events.ts';

const count = z.int().check(z.nonnegative());

/** A call that waits for the user. `options`: it asks its `title`, and these are the suggested answers. */
const approval = z.object({
  ...{ id: z.string(), tool: z.string(), risk, action: actionView },
  options: z.optional(z.array(z.string())),
});
export type Approval = z.infer<typeof approval>;

/** A command that runs in the background. `moved`: it began as an ordinary call, and ends with Harness. */
const backgroundCommand = z.object({
  id: z.string(),
  command: z.string(),
  /** Milliseconds since the epoch. */
  since: count,
  /** It outlives the session. */
  kept: z.boolean(),
  moved: z.optional(z.literal(true)),
});
export type ShownBackground = z.infer<typeof backgroundCommand>;

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
  /** In the order in which they were started; absent if none runs. */
  background: z.optional(z.array(backgroundCommand)),
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
