import { diffArrays } from 'diff';
import type { Part } from '../tools/compare-texts.ts';

/** Beyond, the exact difference is not worth the time: everything between the equal ends is taken as changed. */
const MAX_EDITS = 1000;

/** How `now` has come from `old`, from the first line to the last. Where lines were replaced, the old ones come first. */
export function compareLines(old: readonly string[], now: readonly string[]): Part[] {
  const start = equalAtStart(old, now);
  const end = equalAtEnd(old.slice(start), now.slice(start));
  const middle = changesOf(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [same(old.slice(0, start)), ...middle, same(old.slice(old.length - end))].filter(
    ({ lines }) => lines.length > 0,
  );
}

function changesOf(old: readonly string[], now: readonly string[]): Part[] {
  const all: Part[] = [
    { sign: '-', lines: old },
    { sign: '+', lines: now },
  ];
  if (old.length === 0 || now.length === 0) return all;
  const changes = diffArrays([...old], [...now], { maxEditLength: MAX_EDITS });
  return (
    changes?.map(({ added, removed, value }) => ({
      sign: added ? '+' : removed ? '-' : ' ',
      lines: value,
    })) ?? all
  );
}

function equalAtStart(a: readonly string[], b: readonly string[]): number {
  const shorter = Math.min(a.length, b.length);
  let count = 0;
  while (count < shorter && a[count] === b[count]) count += 1;
  return count;
}

function equalAtEnd(a: readonly string[], b: readonly string[]): number {
  const shorter = Math.min(a.length, b.length);
  let count = 0;
  while (count < shorter && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

function same(lines: readonly string[]): Part {
  return { sign: ' ', lines };
}
