// A text in pieces of whole lines, each as it is read, so that working on a long one can be interrupted.

export interface Chunk {
  readonly text: string;
  /** Where the character at `offset` of `text` stands in the source. */
  sourceOf(offset: number): number;
}

/** Characters from which on a chunk ends with its line. */
export const CHUNK = 8_000;

/** A text that is shown as it is. */
export function* plainChunks(text: string): Generator<Chunk> {
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start + CHUNK);
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    const from = start;
    yield { text: text.slice(from, end), sourceOf: (offset) => from + offset };
    start = end;
  }
}
