// Where a text that is not in the file was probably meant to be.
import { countLinesIn, splitLines, withoutLineEnd } from '../../base/text/lines.ts';
import { MOST_LINES } from './find-text.ts';

/** Places of one line that are looked at. */
const MOST_PLACES = 20;
/** Of the words of two lines, the part that they share at least. */
const LEAST_ALIKE = 0.2;

/** The line at which a text with the most lines of `wanted` begins, or one with the most of its words. */
export function nearestLine(text: string, wanted: string): number | undefined {
  if (countLinesIn(text) > MOST_LINES) return undefined;
  const lines = splitLines(text).map((line) => withoutLineEnd(line).trim());
  const votes = new Map<number, number>();
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const known = places.get(line);
    if (known) known.push(index);
    else places.set(line, [index]);
  }
  for (const [offset, line] of splitLines(wanted).entries()) {
    for (const index of (places.get(line.trim()) ?? []).slice(0, MOST_PLACES))
      votes.set(index - offset, (votes.get(index - offset) ?? 0) + 1);
  }
  const [best] = [...votes].sort(([, a], [, b]) => b - a);
  return best ? Math.max(1, best[0] + 1) : mostSimilar(lines, wanted);
}

/** The line with the most words of the first wanted line that has any. */
function mostSimilar(lines: readonly string[], wanted: string): number | undefined {
  const words = new Set(
    splitLines(wanted)
      .map(wordsOf)
      .find(({ length }) => length > 0),
  );
  let best: { readonly line: number; readonly score: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const own = wordsOf(line);
    const score = own.filter((word) => words.has(word)).length / (own.length + words.size || 1);
    if (score > (best?.score ?? LEAST_ALIKE)) best = { line: index + 1, score };
  }
  return best?.line;
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+/gu) ?? [];
}
