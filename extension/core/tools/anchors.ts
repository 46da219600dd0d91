/** A line that stands once in each of two texts, by its place in both. */
export interface Anchor {
  readonly old: number;
  readonly now: number;
}

/** As many as can stay in their order, from the first line to the last. */
export function anchorsOf(old: readonly string[], now: readonly string[]): Anchor[] {
  const places = placesOf(now);
  const anchors: Anchor[] = [];
  for (const [line, place] of placesOf(old)) {
    const other = places.get(line) ?? SEVERAL;
    if (place !== SEVERAL && other !== SEVERAL) anchors.push({ old: place, now: other });
  }
  return longestRising(anchors);
}

const SEVERAL = -1;

/** The place of each line that stands in it once, in the order of the lines. */
function placesOf(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, line] of lines.entries()) places.set(line, places.has(line) ? SEVERAL : place);
  return places;
}

/** The longest part of them in which `now` rises as `old` does: patience sorting. */
function longestRising(anchors: readonly Anchor[]): Anchor[] {
  /** By the length of a rising row: which anchor ends such a row with the lowest `now`. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, { now }] of anchors.entries()) {
    const length = countWhere(ends, (end) => (anchors[end]?.now ?? 0) < now);
    before.push(ends[length - 1]);
    ends[length] = index;
  }
  const row: Anchor[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) {
    const anchor = anchors[at];
    if (anchor) row.push(anchor);
  }
  return row.reverse();
}

/** How many there are for which it holds; it does for the first ones alone. */
function countWhere(rising: readonly number[], holds: (value: number) => boolean): number {
  let [from, to] = [0, rising.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(rising[middle] ?? 0)) from = middle + 1;
    else to = middle;
  }
  return from;
}
