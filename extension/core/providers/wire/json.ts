/** A JSON object of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Undefined for what is no JSON object. */
export function fieldsOf(value: unknown): Fields | undefined {
  // A value of JSON that is neither a primitive nor an array is an object.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Whatever is no text is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whatever is no list is an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller tells what it is instead.
    return undefined;
  }
}
