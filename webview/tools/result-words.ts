// Summarizes a result in a few words.
import { strings } from '../l10n/strings.ts';

/** `line:content` if one file was searched, else `file:line:content`. */
const match = /^(?:(.+?):)?\d+:/;
/** The tool's line about omitted matches. */
const omitted = /^\.\.\. \((\d+) more matches/m;

export function matchWord(matches: string | undefined): string {
  if (matches === undefined) return '';
  const found = matches
    .split('\n')
    .flatMap((line) => [match.exec(line) ?? []].filter(({ length }) => length > 0));
  const more = Number(omitted.exec(matches)?.[1] ?? 0);
  const isOneFile = /^\d+:/.test(matches);
  const files = isOneFile || more > 0 ? 0 : new Set(found.map(([, file]) => file)).size;
  return strings.matches(found.length + more, files);
}

/** Counts the entries in the output of `ls -al`. */
export function entryWord(entries: string | undefined): string {
  if (entries === undefined) return '';
  const lines = entries.split('\n').filter((line) => line !== '' && !/^total \d|\s\.\.?$/.test(line));
  return strings.entries(lines.length);
}
