/**
 * A sentence for people, in English: `template` with `values` in its places {0}, {1} … A place that is written {0.} takes a
 * value that is a sentence of this kind itself. The log keeps the English; a window in another language knows the sentence
 * again by its template, so that is a literal, with each of its places once.
 */
export function say(template: string, ...values: readonly (string | number)[]): string {
  return template.replace(/\{(\d+)\.?\}/g, (_, place) => String(values[Number(place)] ?? ''));
}
