/** Characters; what stands in a list is not longer. */
const LONGEST = 100;

/** A text of any length as a line of a list. Only its beginning is looked at. */
export function oneLine(text: string): string {
  const beginning = text.slice(0, 4 * LONGEST);
  const characters = [...beginning.replace(/\s+/g, ' ').trim()];
  if (characters.length <= LONGEST && beginning.length === text.length) return characters.join('');
  return `${characters.slice(0, LONGEST - 1).join('')}…`;
}
