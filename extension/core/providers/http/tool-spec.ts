import type { ToolSpec } from '../../ports/model.ts';
import { wellFormedData } from './well-formed.ts';

/** A schema as the APIs take it: they know no `$schema`, and refuse alternatives at the top. */
export function objectSchema(schema: ToolSpec['inputSchema']): { type: 'object'; [field: string]: unknown } {
  const { $schema: _, oneOf: _one, anyOf: _any, allOf: _all, ...rest } = wellFormedData(schema);
  return { ...rest, type: 'object' };
}

/** A model can call what is no tool; its name still has to be one, or every later request is refused. */
export function toolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}
