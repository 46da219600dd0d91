// The host's results so far.
import type { FindMatch, FindResults } from '../../../extension/protocol/find-messages.ts';

export interface FoundMatches {
  readonly matches: readonly FindMatch[];
  /** Includes matches that were not sent. */
  readonly total: number;
  readonly isComplete: boolean;
  readonly error: FindResults['error'];
}

export const nothingFound: FoundMatches = { matches: [], total: 0, isComplete: false, error: undefined };

/** `found` after `results`, which replace everything from their first section on. */
export function withResults({ matches }: FoundMatches, results: FindResults): FoundMatches {
  const { from, total, isComplete, error } = results;
  const kept = matches.findIndex(({ section }) => section >= from);
  const before = kept < 0 ? matches : matches.slice(0, kept);
  return { matches: [...before, ...results.matches], total, isComplete, error };
}

/** A part of the conversation. */
export interface PartPlace {
  readonly section: number;
  readonly part: string;
}

/**
 * Index of the first match at or after `place`, or else of the first match of all. Returns -1 while a match
 * may still arrive. `parts` are the ids of the parts of its section, in order.
 */
export function firstFrom(
  { matches, isComplete }: FoundMatches,
  place: PartPlace,
  parts: readonly string[],
): number {
  const isAhead = (match: FindMatch) =>
    match.section === place.section
      ? parts.indexOf(match.part) >= parts.indexOf(place.part)
      : match.section > place.section;
  const index = matches.findIndex(isAhead);
  return index >= 0 || !isComplete || matches.length === 0 ? index : 0;
}

/** The index of a match from an earlier search; -1 if it is missing. */
export function indexOfMatch({ matches }: FoundMatches, match: FindMatch): number {
  return matches.findIndex((other) => other.offset === match.offset && isSameText(other, match));
}

/** The number of matches before the one at `index` in the same text. */
export function placeInText(matches: readonly FindMatch[], index: number): number {
  const match = matches[index];
  let first = index;
  while (match && first > 0 && isSameText(matches[first - 1], match)) first -= 1;
  return index - first;
}

export function isSameText(other: FindMatch | undefined, match: FindMatch): boolean {
  return other?.seq === match.seq && other.field === match.field;
}
