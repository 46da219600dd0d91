import { type ArrayChange, diffArrays } from 'diff';
import { splitLines } from '../text/lines.ts';

/** Lines of both texts, of the old one alone, or of the new one alone. Each has its own line end. */
export interface DiffPart {
  readonly sign: ' ' | '-' | '+';
  readonly lines: readonly string[];
}

/** The difference between two texts. */
export interface Comparison {
  /** Characters of the common lines at the start, and of those at the end. */
  readonly start: number;
  readonly end: number;
  /** The lines in between. */
  readonly parts: readonly DiffPart[];
}

/**
 * Beyond this, the exact difference is not worth the time: everything between the equal ends is taken as
 * changed.
 */
const MAX_COMPARED = 2000;
const MAX_EDITS = 1000;
/** Characters of equal text per comparison, which is ten times as fast as one by one. */
const BLOCK = 4096;

export function compareTexts(before: string, after: string): Comparison {
  const start = equalLinesAtStart(before, after);
  const end = equalLinesAtEnd(before.slice(start), after.slice(start));
  const middle = (text: string) => splitLines(text.slice(start, text.length - end));
  return { start, end, parts: partsOf(middle(before), middle(after)) };
}

/** How many lines were added, or removed. */
export function countLines({ parts }: Comparison, sign: '+' | '-'): number {
  return parts.reduce((sum, part) => sum + (part.sign === sign ? part.lines.length : 0), 0);
}

/** The number of characters in the common whole lines at the start. */
function equalLinesAtStart(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let length = 0;
  const block = (text: string) => text.slice(length, length + BLOCK);
  while (length + BLOCK <= shorter && block(a) === block(b)) length += BLOCK;
  while (length < shorter && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return a.slice(0, length).lastIndexOf('\n') + 1;
}

/** The number of characters in the common whole lines at the end. */
function equalLinesAtEnd(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let length = 0;
  const block = (text: string) => text.slice(text.length - length - BLOCK, text.length - length);
  while (length + BLOCK <= shorter && block(a) === block(b)) length += BLOCK;
  while (length < shorter && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) {
    length += 1;
  }
  if (isLineStart(a, a.length - length) && isLineStart(b, b.length - length)) return length;
  const feed = a.indexOf('\n', a.length - length);
  return feed < 0 ? 0 : a.length - feed - 1;
}

function isLineStart(text: string, index: number): boolean {
  return index === 0 || text[index - 1] === '\n';
}

function partsOf(old: string[], now: string[]): DiffPart[] {
  const all = (
    [
      { sign: '-', lines: old },
      { sign: '+', lines: now },
    ] as const
  ).filter(({ lines }) => lines.length > 0);
  if (all.length < 2 || old.length >= MAX_COMPARED || now.length >= MAX_COMPARED) return all;
  const changes = diffArrays(old, now, { maxEditLength: MAX_EDITS });
  return changes?.map(toPart) ?? all;
}

function toPart({ added, removed, value }: ArrayChange<string>): DiffPart {
  if (added) return { sign: '+', lines: value };
  return { sign: removed ? '-' : ' ', lines: value };
}
