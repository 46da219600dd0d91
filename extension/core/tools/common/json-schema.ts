import * as z from 'zod/mini';

/**
 * The JSON Schema of the values that `schema` accepts, as a model reads it. Leaves out what the tool checks
 * anyway and what no model needs: each field costs tokens in every request.
 */
export function toJsonSchema(schema: z.ZodMiniType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema: node }) => {
      delete node.additionalProperties;
      delete node.default;
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
    },
  });
  return jsonSchema;
}
