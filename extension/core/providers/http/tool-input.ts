export type ToolInput = Readonly<Record<string, unknown>>;

/** Deeper data would overflow the stack of whoever walks it (JSON.stringify gives up below 5000 levels). */
const MAX_DEPTH = 200;

/**
 * A tool's arguments from the whole text that the model wrote: strictly one JSON object, nothing mended. A string
 * instead says, for the model, why they cannot be used. No text at all is a call without arguments.
 */
export function parseToolInput(text: string): ToolInput | string {
  if (text.trim() === '') return {};
  const value = parse(text);
  if (value instanceof SyntaxError) return `the arguments are not valid JSON: ${value.message}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'the arguments are not a JSON object';
  }
  if (isDeeper(value, MAX_DEPTH)) return `the arguments are nested deeper than ${MAX_DEPTH} levels`;
  // A value of JSON that is neither a primitive nor an array is an object.
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
