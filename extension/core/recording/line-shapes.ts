import * as z from 'zod/mini';

const id = z.int();
const timed = {
  at: z.optional(z.number()),
  read: z.optional(z.record(z.string(), z.array(z.tuple([z.unknown(), z.int()])))),
};

const shapes: Readonly<Record<string, z.ZodMiniType>> = {
  recording: z.object({ version: z.number(), session: z.string() }),
  open: z.object({
    past: z.int().check(z.nonnegative()),
    repairs: z.array(z.string()),
    home: z.string(),
    has: z.array(z.string()),
    ...timed,
  }),
  start: z.object({ id, name: z.string(), given: z.string(), loose: z.optional(z.string()), ...timed }),
  piece: z.object({ id, ...timed }),
  end: z.object({ id, ...timed }),
  input: z.object({ id, name: z.string(), given: z.array(z.unknown()), told: z.optional(z.int()), ...timed }),
  log: z.object({ line: z.string() }),
  blob: z.object({ hash: z.string(), bytes: z.string() }),
};

/** A line of its kind, as Harness writes them; of kinds that are not known nobody can tell. What ports gave is not looked at. */
export function isWellFormed(line: Readonly<Record<string, unknown>>): boolean {
  const shape = shapes[String(line.kind)];
  return typeof line.kind === 'string' && (!shape || shape.safeParse(line).success);
}
