/**
 * A sentence for the user, in English: `template` with `values` in its places {0}, {1} … A place written {0.}
 * takes a value that is itself such a sentence. The log stores the English text. A window in another language
 * finds the template of a sentence to translate it. So the template must be a literal, with each place once.
 */
export function say(template: string, ...values: readonly (string | number)[]): string {
  return template.replace(/\{(\d+)\.?\}/g, (_, place) => String(values[Number(place)] ?? ''));
}
