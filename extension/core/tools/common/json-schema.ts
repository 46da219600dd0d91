import * as z from 'zod/mini';

/** The JSON Schema of the values that `schema` accepts. */
export function toJsonSchema(schema: z.ZodMiniType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input' });
  return jsonSchema;
}
