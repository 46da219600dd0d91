import * as z from 'zod/mini';

/** JSON Schema of what `schema` takes. */
export function toJsonSchema(schema: z.ZodMiniType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input' });
  return jsonSchema;
}
