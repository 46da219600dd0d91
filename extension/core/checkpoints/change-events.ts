import type { EventDraft } from '../../protocol/events.ts';
import type { Changes } from './change-tracker.ts';

/**
 * Limits for one event: the number of files, and the characters of their JSON. A line of the log has a limit
 * in bytes, and a character takes up to three bytes.
 */
const MOST_FILES = 5_000;
const MOST_LISTED = 4_000_000;

/** Splits the list into parts that each fit into one event. */
export function inParts<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (room < size || parts.at(-1)?.length === MOST_FILES) {
      parts.push([]);
      room = MOST_LISTED;
    }
    parts.at(-1)?.push(item);
    room -= size;
  }
  return parts;
}

/** The events that report what a call changed. None if it changed nothing. */
export function changeEvents(id: string, { changes, uncovered, trouble }: Changes): EventDraft[] {
  const parts = inParts(changes);
  if (parts.length === 0 && uncovered !== undefined) parts.push([]);
  const last = parts.length - 1;
  const events = parts.map((part, index): EventDraft => {
    const reported = index === last && uncovered !== undefined && { uncovered };
    return { type: 'files_changed', id, by: 'tool', changes: part, ...reported };
  });
  return [...events, ...(trouble === undefined ? [] : [{ type: 'notice' as const, message: trouble }])];
}
