import { createHash } from 'node:crypto';
import type { ToolSpec } from '../../ports/model.ts';
import { wellFormedData } from './unicode.ts';

/** Up to 64 letters, digits, `_` and `-`. */
export const COMMON_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** A call's id. Replaces an id that the API would not accept, always by the same one. */
export function callId(id: string, prefix: string): string {
  if (COMMON_ID.test(id)) return id;
  return prefix + createHash('sha256').update(id).digest('base64url');
}

export type ToolInput = Readonly<Record<string, unknown>>;

/**
 * Deeper data would overflow the stack of code that traverses it (JSON.stringify fails below 5000 levels).
 */
const MAX_DEPTH = 200;

/**
 * Parses a tool's arguments from the whole text that the model wrote: strictly one JSON object, without any
 * repair. A string as the result says, for the model, why the arguments are unusable. An empty text means no
 * arguments.
 */
export function parseToolInput(text: string): ToolInput | string {
  if (text.trim() === '') return {};
  const value = parse(text);
  if (value instanceof SyntaxError) return `the arguments are not valid JSON: ${value.message}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'the arguments are not a JSON object';
  }
  if (isDeeper(value, MAX_DEPTH)) return `the arguments are nested deeper than ${MAX_DEPTH} levels`;
  // A JSON value that is neither a primitive nor an array is an object.
  return value as ToolInput;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** A schema in the form that the APIs accept: without `$schema`, and without alternatives at the top. */
export function objectSchema(schema: ToolSpec['inputSchema']): { type: 'object'; [field: string]: unknown } {
  const { $schema: _, oneOf: _one, anyOf: _any, allOf: _all, ...rest } = wellFormedData(schema);
  return { ...rest, type: 'object' };
}

/**
 * A model can call a tool that does not exist. The name must still be valid, or the API refuses every later
 * request.
 */
export function toolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}
