import { diffArrays } from 'diff';
import { type Anchor, anchorsOf } from './anchors.ts';
import type { Part } from './compare-texts.ts';
import { commonPrefix, commonSuffix } from './lines.ts';

/** Beyond, the exact difference is not worth the time. */
const MAX_EDITS = 500;
/** The same between two lines that both texts have once. */
const MAX_EDITS_BETWEEN = 50;
/** Of both texts together: in longer ones such lines are not looked for. */
const MAX_LINES = 100_000;

/** How `now` has come from `old`, from the first line to the last. Where lines were replaced, the old ones come first. */
export function compareLines(old: readonly string[], now: readonly string[]): Part[] {
  const start = commonPrefix(old, now);
  const end = commonSuffix(old.slice(start), now.slice(start));
  const middle = changesOf(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [same(old.slice(0, start)), ...middle, same(old.slice(old.length - end))].filter(
    ({ lines }) => lines.length > 0,
  );
}

function changesOf(old: readonly string[], now: readonly string[]): Part[] {
  const exact = exactChanges(old, now, MAX_EDITS);
  if (exact) return exact;
  const anchors = old.length + now.length > MAX_LINES ? [] : anchorsOf(old, now);
  return changesBetween(anchors, old, now);
}

/** What stands between two anchors is taken as changed where it differs too much. */
function changesBetween(anchors: readonly Anchor[], old: readonly string[], now: readonly string[]): Part[] {
  const parts: Part[] = [];
  let [from, to] = [0, 0];
  for (const anchor of [...anchors, { old: old.length, now: now.length }]) {
    const [gone, come] = [old.slice(from, anchor.old), now.slice(to, anchor.now)];
    parts.push(...(exactChanges(gone, come, MAX_EDITS_BETWEEN) ?? allChanged(gone, come)));
    parts.push(same(old.slice(anchor.old, anchor.old + 1)));
    [from, to] = [anchor.old + 1, anchor.now + 1];
  }
  return parts.filter(({ lines }) => lines.length > 0);
}

function exactChanges(old: readonly string[], now: readonly string[], most: number): Part[] | undefined {
  if (old.length === 0 || now.length === 0) return allChanged(old, now);
  const changes = diffArrays([...old], [...now], { maxEditLength: most });
  return changes?.map(({ added, removed, value }) => ({
    sign: added ? '+' : removed ? '-' : ' ',
    lines: value,
  }));
}

function allChanged(old: readonly string[], now: readonly string[]): Part[] {
  return [
    { sign: '-', lines: old },
    { sign: '+', lines: now },
  ];
}

function same(lines: readonly string[]): Part {
  return { sign: ' ', lines };
}
