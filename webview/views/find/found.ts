// What the host has found so far.
import type { FindMatch, FindResults } from '../../../extension/protocol/find-messages.ts';

export interface Found {
  readonly matches: readonly FindMatch[];
  /** Also those that were not sent. */
  readonly total: number;
  readonly isComplete: boolean;
  readonly error: FindResults['error'];
}

export const nothingFound: Found = { matches: [], total: 0, isComplete: false, error: undefined };

/** `found` with what `results` bring: they take the place of everything from their first section on. */
export function withResults({ matches }: Found, results: FindResults): Found {
  const { from, total, isComplete, error } = results;
  const kept = matches.findIndex(({ section }) => section >= from);
  const before = kept < 0 ? matches : matches.slice(0, kept);
  return { matches: [...before, ...results.matches], total, isComplete, error };
}

/** A part of the conversation. */
export interface Place {
  readonly section: number;
  readonly part: string;
}

/**
 * Index of the first match at or after `place`; of the first one of all where there is none behind it; -1 as long as
 * there may still be one. `parts` are the ids of the parts of its section, in order.
 */
export function firstFrom({ matches, isComplete }: Found, place: Place, parts: readonly string[]): number {
  const isAhead = (match: FindMatch) =>
    match.section === place.section
      ? parts.indexOf(match.part) >= parts.indexOf(place.part)
      : match.section > place.section;
  const index = matches.findIndex(isAhead);
  return index >= 0 || !isComplete || matches.length === 0 ? index : 0;
}

/** Where a match is that an earlier search has found; -1 for nowhere. */
export function indexOfMatch({ matches }: Found, match: FindMatch): number {
  return matches.findIndex((other) => other.offset === match.offset && isSameText(other, match));
}

/** How many of the matches just before the one at `index` are in the same text as that one. */
export function placeInText(matches: readonly FindMatch[], index: number): number {
  const match = matches[index];
  let first = index;
  while (match && first > 0 && isSameText(matches[first - 1], match)) first -= 1;
  return index - first;
}

export function isSameText(other: FindMatch | undefined, match: FindMatch): boolean {
  return other?.seq === match.seq && other.field === match.field;
}
