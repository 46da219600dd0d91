import { diffArrays } from 'diff';
import { commonPrefix, commonSuffix } from '../text/lines.ts';
import type { DiffPart } from './diff-texts.ts';

/** Beyond this many edits, the exact difference is not worth the time. */
const MAX_EDITS = 500;
/** The same limit between two anchors. */
const MAX_EDITS_BETWEEN = 50;
/** Lines of both texts together. In longer texts, Harness does not look for anchors. */
const MAX_LINES = 100_000;

/** How `old` became `now`, from the first line to the last. For replaced lines, the old ones come first. */
export function compareLines(old: readonly string[], now: readonly string[]): DiffPart[] {
  const start = commonPrefix(old, now);
  const end = commonSuffix(old.slice(start), now.slice(start));
  const middle = changesOf(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [same(old.slice(0, start)), ...middle, same(old.slice(old.length - end))].filter(
    ({ lines }) => lines.length > 0,
  );
}

function changesOf(old: readonly string[], now: readonly string[]): DiffPart[] {
  const exact = exactChanges(old, now, MAX_EDITS);
  if (exact) return exact;
  const anchors = old.length + now.length > MAX_LINES ? [] : anchorsOf(old, now);
  return changesBetween(anchors, old, now);
}

/** Between two anchors, takes all lines as changed if they differ too much. */
function changesBetween(
  anchors: readonly Anchor[],
  old: readonly string[],
  now: readonly string[],
): DiffPart[] {
  const parts: DiffPart[] = [];
  let [from, to] = [0, 0];
  for (const anchor of [...anchors, { old: old.length, now: now.length }]) {
    const [gone, come] = [old.slice(from, anchor.old), now.slice(to, anchor.now)];
    parts.push(...(exactChanges(gone, come, MAX_EDITS_BETWEEN) ?? allChanged(gone, come)));
    parts.push(same(old.slice(anchor.old, anchor.old + 1)));
    [from, to] = [anchor.old + 1, anchor.now + 1];
  }
  return parts.filter(({ lines }) => lines.length > 0);
}

function exactChanges(old: readonly string[], now: readonly string[], most: number): DiffPart[] | undefined {
  if (old.length === 0 || now.length === 0) return allChanged(old, now);
  const changes = diffArrays([...old], [...now], { maxEditLength: most });
  return changes?.map(({ added, removed, value }) => ({
    sign: added ? '+' : removed ? '-' : ' ',
    lines: value,
  }));
}

function allChanged(old: readonly string[], now: readonly string[]): DiffPart[] {
  return [
    { sign: '-', lines: old },
    { sign: '+', lines: now },
  ];
}

function same(lines: readonly string[]): DiffPart {
  return { sign: ' ', lines };
}

/** A line that occurs once in each of two texts, with its index in both. */
export interface Anchor {
  readonly old: number;
  readonly now: number;
}

/** The most anchors that keep their order, from the first line to the last. */
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

/** The index of each line that occurs once, in the order of the lines; `SEVERAL` for any other line. */
function placesOf(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, line] of lines.entries()) places.set(line, places.has(line) ? SEVERAL : place);
  return places;
}

/** The longest subsequence in which `now` rises as `old` does, by patience sorting. */
function longestRising(anchors: readonly Anchor[]): Anchor[] {
  /** For each length of a rising subsequence, the anchor that ends one with the lowest `now`. */
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

/** The number of leading values for which `holds` is true. It must be false for all values after them. */
function countWhere(rising: readonly number[], holds: (value: number) => boolean): number {
  let [from, to] = [0, rising.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(rising[middle] ?? 0)) from = middle + 1;
    else to = middle;
  }
  return from;
}
