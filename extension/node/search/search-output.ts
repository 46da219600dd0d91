// Parses the output of ripgrep and grep with `--with-filename --line-number --null`. Each match is `path NUL
// line : content LF`.
import { sep } from 'node:path';
import { cutAtWord } from '../../core/base/text/truncate.ts';

const LINE_FEED = 10;
/** Maximum UTF-16 units of a line that are shown. */
const SHOWN = 2000;
/** A line with more bytes has more than `SHOWN` units, because one unit has at most three bytes. */
export const LINE_BYTES = 3 * SHOWN;
/** The line that ripgrep prints instead of, or after, the matches of a file with a NUL byte. */
const BINARY_NOTICE = /\(found "\\0" byte around offset \d+\)$/;

/** The matches of one file. */
export interface FileMatches {
  readonly path: Buffer;
  /** `line:content` of the first matches. */
  readonly kept: Buffer[];
  /** Number of all matches. */
  count: number;
}

/**
 * Groups the matches by file in the order of the output, and keeps at most `most` of each file. Leaves out
 * binary files. Leaves out a last line without a line feed, because it is incomplete.
 */
export function splitByFile(output: Buffer, most: number): FileMatches[] {
  const files: FileMatches[] = [];
  let start = 0;
  for (let end = output.indexOf(LINE_FEED); end >= 0; end = output.indexOf(LINE_FEED, end + 1)) {
    const record = output.subarray(start, end);
    const nul = record.indexOf(0);
    if (nul >= 0) addMatch(files, record.subarray(0, nul), record.subarray(nul + 1), most);
    else if (BINARY_NOTICE.test(record.subarray(-60).toString('latin1'))) files.pop();
    else continue; // the path contains a line feed, so the record continues
    start = end + 1;
  }
  return files;
}

function addMatch(files: FileMatches[], path: Buffer, match: Buffer, most: number): void {
  let file = files.at(-1);
  if (!file?.path.equals(path)) {
    file = { path, kept: [], count: 0 };
    files.push(file);
  }
  if (file.kept.length < most) file.kept.push(match);
  file.count += 1;
}

/** Sorts like `rg --sort path`: folder by folder, names by their bytes. */
export function sortByPath(files: readonly FileMatches[]): FileMatches[] {
  return files
    .map((file) => ({ file, key: file.path.toString('latin1').replaceAll(sep, '\0') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ file }) => file);
}

export function countMatches(files: readonly FileMatches[]): number {
  return files.reduce((sum, { count }) => sum + count, 0);
}

/** Adds up the output of `--count --no-filename`. */
export function sumCounts(output: Buffer): number {
  return output
    .toString('latin1')
    .split('\n')
    .reduce((sum, count) => sum + Number(count), 0);
}

/**
 * Returns at most `most` lines for the model: `line:content`, with the path before it if `withPath` is true.
 */
export function formatMatches(files: readonly FileMatches[], withPath: boolean, most: number): string[] {
  const lines: string[] = [];
  for (const { path, kept } of files) {
    const prefix = withPath ? `${path.toString('utf8')}:` : '';
    for (const match of kept.slice(0, most - lines.length))
      lines.push(prefix + cutLine(match.toString('utf8')));
  }
  return lines;
}

/** Cuts a long line between two words. */
function cutLine(match: string): string {
  const content = match.indexOf(':') + 1;
  if (match.length - content <= SHOWN) return match;
  const shown = cutAtWord(match.slice(content), SHOWN);
  return `${match.slice(0, content)}${shown}... (line cut after ${shown.length} characters)`;
}
