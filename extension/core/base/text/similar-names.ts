/** Changes of single letters, at most. More make it another word; a shorter word allows fewer. */
const MAX_DISTANCE = 3;
const LETTERS_FOR_A_CHANGE = 3;
export const MAX_NAMES = 3;

/** The names that a user who wrote `text` may have meant, the likeliest first. */
export function nearest(text: string, names: readonly string[]): string[] {
  const wanted = text.trim().toLowerCase();
  const furthest = Math.min(MAX_DISTANCE, Math.ceil(wanted.length / LETTERS_FOR_A_CHANGE));
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= furthest)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** A part of the name also counts as near: "sonnet-5" is in "anthropic/claude-sonnet-5-5". */
function distanceTo(wanted: string, name: string): number {
  return wanted.length > 2 && name.includes(wanted) ? 1 : editDistance(wanted, name);
}

/** Levenshtein distance: insertions, deletions and replacements, computed row by row. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
