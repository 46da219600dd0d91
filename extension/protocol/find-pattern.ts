import type { FindOptions } from './find-messages.ts';

/**
 * What a query looks for: upper and lower case are the same, unless the options say otherwise. Undefined where it is
 * empty, or no regular expression though it should be.
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

/** A boundary counts only where the text at it could be part of a word. */
function asWord(source: string): string {
  const word = String.raw`[\p{L}\p{M}\p{N}_]`;
  return `(?:(?<!${word})(?=${word})|(?!${word}))(?:${source})(?:(?<=${word})(?!${word})|(?<!${word}))`;
}
