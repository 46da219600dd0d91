import { diffArrays } from 'diff';
import { splitLines } from './lines.ts';
import { commonPrefix, commonSuffix } from './seen-file.ts';

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Beyond, the exact count is not worth the time: everything between the equal ends counts as changed. */
const MAX_COMPARED = 2000;
const MAX_EDITS = 1000;

/** How many lines a change adds and removes. */
export function countChangedLines(before: string, after: string): LineCounts {
  const old = splitLines(before);
  const now = splitLines(after);
  const prefix = commonPrefix(old, now);
  const suffix = commonSuffix(old.slice(prefix), now.slice(prefix));
  return countBetween(old.slice(prefix, old.length - suffix), now.slice(prefix, now.length - suffix));
}

function countBetween(old: string[], now: string[]): LineCounts {
  const all = { added: now.length, removed: old.length };
  if (old.length === 0 || now.length === 0) return all;
  if (old.length >= MAX_COMPARED || now.length >= MAX_COMPARED) return all;
  const parts = diffArrays(old, now, { maxEditLength: MAX_EDITS });
  if (!parts) return all;
  const count = (wanted: 'added' | 'removed') =>
    parts.reduce((sum, part) => sum + (part[wanted] ? part.count : 0), 0);
  return { added: count('added'), removed: count('removed') };
}
