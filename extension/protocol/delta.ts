import * as z from 'zod/mini';

const text = z.string();
const count = z.int().check(z.nonnegative());

/** A piece of a reply that is still growing. Sent live, never stored, and without `seq`. */
export const delta = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_delta'), session: text, text }),
  z.object({ type: z.literal('reasoning_delta'), session: text, text }),
  /** The model is writing a call; `bytes` is the size of its arguments so far. */
  z.object({ type: z.literal('tool_input_delta'), session: text, id: text, name: text, bytes: count }),
  z.object({
    type: z.literal('tool_output_delta'),
    session: text,
    id: text,
    stream: z.enum(['stdout', 'stderr']),
    text,
  }),
]);
export type Delta = z.infer<typeof delta>;
/** A delta before the session has added its id. */
export type DeltaDraft = Delta extends infer D ? (D extends Delta ? Omit<D, 'session'> : never) : never;
