// Summarizes a result in a few words.
import { strings } from '../l10n/strings.ts';
import type { ToolAnswer } from './tool-answer.ts';

/** `line:content` if one file was searched, else `file:line:content`. */
const match = /^(?:(.+?):)?\d+:/;
/** The tool's line about omitted matches, files or names. */
const omitted = /^\.\.\. \((\d+) more (?:matches|files|names)/m;

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

/** Counts paths, one a line. `note` may count those that were left out. */
export function fileWord(paths: string | undefined, note = ''): string {
  if (paths === undefined) return '';
  const listed = paths.split('\n').filter((line) => line !== '' && !omitted.test(line));
  const more = Number(omitted.exec(paths)?.[1] ?? /^(\d+) older files/.exec(note)?.[1] ?? 0);
  return strings.files(listed.length + more);
}

/** Counts the entries in the output of `ls -al`, or the names of a tree. */
export function entryWord(entries: string | undefined, depth: unknown): string {
  if (entries === undefined) return '';
  const isTree = typeof depth === 'number' && depth > 1;
  const other = isTree ? omitted : /^total \d|\s\.\.?$/;
  const lines = entries.split('\n').filter((line) => line !== '' && !other.test(line));
  const more = isTree ? Number(omitted.exec(entries)?.[1] ?? 0) : 0;
  return strings.entries(lines.length + more);
}

/** Of the tool that asks for problems. */
export function problemWord({ problems = [], moreProblems = 0, notChecked }: ToolAnswer): string {
  const count = problems.length + moreProblems;
  return count === 0 && notChecked ? strings.notChecked : strings.problems(count);
}

/** The problems that a change has caused; empty if there are none. */
export function newProblemWord({ problems = [], moreProblems = 0 }: ToolAnswer): string {
  const count = problems.length + moreProblems;
  return count === 0 ? '' : strings.newProblems(count);
}

/** What language servers found, or which files a rename changed. */
export function codeWord(answer: ToolAnswer): string {
  const { places, symbols, files, more = 0 } = answer;
  if (files) return [strings.renamedFiles(files.length), newProblemWord(answer)].filter(Boolean).join(', ');
  if (symbols) return strings.symbols(symbols.length + more);
  return places ? strings.places(places.length + more) : '';
}

/** Problems, places or symbols, one a line. Undefined for a result without such a list. */
export function listedResult({ problems, places, symbols, files }: ToolAnswer): string | undefined {
  if (symbols)
    return symbols
      .map(({ name, kind, line, depth }) => `${'  '.repeat(depth)}${kind} ${name}:${line}`)
      .join('\n');
  if (places) return places.map(({ path, line, text = '' }) => `${path}:${line}: ${text}`).join('\n');
  if (!problems && !files) return undefined;
  const rows = (problems ?? []).map(
    ({ path, line, column, severity, message }) => `${path}:${line}:${column}: ${severity}: ${message}`,
  );
  return [...(files ?? []), ...rows].join('\n');
}
