import type { FindOptions } from './find-messages.ts';

/**
 * The expression for a query. It ignores case unless the options say otherwise. Undefined if the query is
 * empty, or an invalid regular expression.
 */
export function findPattern(query: string, options: FindOptions): RegExp | undefined {
  if (query === '') return undefined;
  const source = options.regex ? query : query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  try {
    return new RegExp(options.wholeWord ? asWord(source) : source, options.matchCase ? 'gmu' : 'gimu');
  } catch {
    return undefined;
  }
}

/** A boundary counts only where the adjacent character could be part of a word. */
function asWord(source: string): string {
  const word = String.raw`[\p{L}\p{M}\p{N}_]`;
  return `(?:(?<!${word})(?=${word})|(?!${word}))(?:${source})(?:(?<=${word})(?!${word})|(?<!${word}))`;
}
