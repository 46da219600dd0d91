// In the built product the schemas stand instead of what makes them, a sixth of zod (see `inputSchemas` in esbuild.mjs).
import * as z from 'zod/mini';

/** What was made here, by the name that it was asked for with. */
export const made = new Map<string, Readonly<Record<string, unknown>>>();

/** JSON Schema of what `schema` takes. `name` is unlike any other that is asked for. */
export function toJsonSchema(name: string, schema: z.ZodMiniType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input' });
  made.set(name, jsonSchema);
  return jsonSchema;
}
