/** A JSON object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Undefined if the value is not a JSON object. */
export function fieldsOf(value: unknown): Fields | undefined {
  // A JSON value that is neither a primitive nor an array is an object.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** An empty text if the value is not a text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** An empty list if the value is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports what the text is instead.
    return undefined;
  }
}
