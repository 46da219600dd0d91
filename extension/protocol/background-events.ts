// The events of commands that run while the conversation goes on.
import * as z from 'zod/mini';

const text = z.string();
const count = z.int().check(z.nonnegative());

export const backgroundEvents = {
  /**
   * A command runs in the background; `call` is the tool call that asked for it. `process.started` tells it
   * from a later process with the same id, `process.file` has its output. Logged before the command begins.
   * `moved`: it began as an ordinary call, and the user moved it. It ends when Harness does.
   */
  background_started: {
    id: text,
    call: text,
    command: text,
    process: z.object({ pid: z.int().check(z.positive()), started: text, mark: text, file: text }),
    moved: z.optional(z.literal(true)),
  },
  /**
   * `through`: bytes of the output that the model has read. `kept`: the user chose whether the command
   * outlives the session.
   */
  background_changed: { id: text, through: z.optional(count), kept: z.optional(z.boolean()) },
  /**
   * The background command is over. `by` is who stopped it; absent if it ended by itself. `exitCode` is absent
   * if nobody saw it end. A `notice` after it tells the model, unless the model stopped the command.
   */
  background_ended: {
    id: text,
    exitCode: z.optional(count),
    by: z.optional(z.enum(['model', 'user', 'session'])),
  },
};
