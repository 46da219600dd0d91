import { diffArrays } from 'diff';
import { commonPrefix, commonSuffix, splitLines } from '../core/tools/lines.ts';

/** What stands from `start` to before `end` (UTF-16 units) becomes `text`. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Beyond, finding the smallest changes is not worth the time: one change spans them all. */
const MAX_COMPARED = 4000;
const MAX_EDITS = 300;

/** The changes of lines that make `after` of `before`, in order, so that cursors and folds elsewhere stay where they are. */
export function textChanges(before: string, after: string): TextChange[] {
  const old = splitLines(before);
  const now = splitLines(after);
  const prefix = commonPrefix(old, now);
  const suffix = commonSuffix(old.slice(prefix), now.slice(prefix));
  const start = lengthOf(old.slice(0, prefix));
  return changesBetween(
    old.slice(prefix, old.length - suffix),
    now.slice(prefix, now.length - suffix),
    start,
  );
}

function changesBetween(old: string[], now: string[], start: number): TextChange[] {
  if (old.length === 0 && now.length === 0) return [];
  const small = old.length + now.length <= MAX_COMPARED;
  const parts = small ? diffArrays(old, now, { maxEditLength: MAX_EDITS }) : undefined;
  if (!parts) return [{ start, end: start + lengthOf(old), text: now.join('') }];
  const changes: TextChange[] = [];
  let at = start;
  for (const { added, removed, value } of parts) {
    const length = added ? 0 : lengthOf(value);
    if (added || removed) changes.push({ start: at, end: at + length, text: added ? value.join('') : '' });
    at += length;
  }
  return joinTouching(changes);
}

/** A removal and the addition in its place are one change. */
function joinTouching(changes: readonly TextChange[]): TextChange[] {
  const joined: TextChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last?.end === change.start) {
      joined[joined.length - 1] = { start: last.start, end: change.end, text: last.text + change.text };
    } else joined.push(change);
  }
  return joined;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((length, line) => length + line.length, 0);
}
