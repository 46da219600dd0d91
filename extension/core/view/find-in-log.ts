import type { FindMatch } from '../../protocol/find-messages.ts';
import type { Translate } from './call-outcome.ts';
import { piecesOf, type SearchablePiece, type Span } from './find.ts';
import type { ReadLog } from './log-window.ts';

/** How a search works and where it reports. */
export interface LogSearch {
  /**
   * The spans of the matches in a text. Undefined if the search timed out, so that the caller must try a
   * shorter text.
   */
  search(text: string): readonly Span[] | undefined;
  /** Lets other work run. Resolves with false if the result is no longer wanted. */
  pause(): Promise<boolean>;
  /** Characters between two pauses. */
  readonly batch: number;
  /** For words that the panel adds in the user's language. */
  readonly translate: Translate;
  /** Reports the matches of one section; sections come in order. */
  onSection(section: number, matches: readonly FindMatch[]): void;
}

/** `slow`: the search of a short text timed out. */
export type SearchEnd = 'complete' | 'cancelled' | 'slow';

/** The fixed cost of a piece, in characters. */
const PIECE_COST = 200;
/**
 * A text shorter than this is not split but searched several times, because the timer also runs while another
 * process has the processor.
 */
const SHORT = 1_000;
const ATTEMPTS = 12;

/**
 * Searches the sections of `log` from section `from` to the last, including those added during the search.
 */
export async function findInLog(log: ReadLog, from: number, search: LogSearch): Promise<SearchEnd> {
  let left = search.batch;
  for (let section = from; log.section(section).length > 0; section += 1) {
    const matches: FindMatch[] = [];
    const events = await log.whole(log.section(section));
    for (const piece of piecesOf(events, search.translate)) {
      const found = await searchPiece(piece, search);
      if (typeof found === 'string') return found;
      for (const span of found) matches.push({ section, ...piece.matchOf(span) });
      left -= piece.text.length + PIECE_COST;
      if (left > 0) continue;
      left = search.batch;
      if (!(await search.pause())) return 'cancelled';
    }
    search.onSection(section, matches);
  }
  return 'complete';
}

async function searchPiece(
  { text }: SearchablePiece,
  search: LogSearch,
): Promise<readonly Span[] | 'slow' | 'cancelled'> {
  return search.search(text) ?? searchHalves(text, search);
}

/** Splits at the end of a line where possible; splits a line only if it is long. */
async function searchHalves(
  text: string,
  search: LogSearch,
): Promise<readonly Span[] | 'slow' | 'cancelled'> {
  const found: Span[] = [];
  const lineEnd = text.indexOf('\n', text.length / 2) + 1;
  const middle = lineEnd > 0 && lineEnd < text.length ? lineEnd : Math.floor(text.length / 2);
  if (text.length < SHORT) return searchAgain(text, search);
  for (const [start, half] of [[0, text.slice(0, middle)] as const, [middle, text.slice(middle)] as const]) {
    if (!(await search.pause())) return 'cancelled';
    const spans = search.search(half) ?? (await searchHalves(half, search));
    if (typeof spans === 'string') return spans;
    for (const [offset, length] of spans) found.push([start + offset, length]);
  }
  return found;
}

async function searchAgain(text: string, search: LogSearch): Promise<readonly Span[] | 'slow' | 'cancelled'> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (!(await search.pause())) return 'cancelled';
    const spans = search.search(text);
    if (spans) return spans;
  }
  return 'slow';
}
