// Parses the output of ripgrep and grep with `--with-filename --line-number --null`. Each match is `path NUL
// line : content LF`; a context line has `-` in the place of `:`.
import { sep } from 'node:path';
import { cutAtWord } from '../../core/base/text/truncate.ts';
import type { SearchQuery } from '../../core/ports/workspace.ts';

const LINE_FEED = 10;
const COLON = 0x3a;
/** Maximum UTF-16 units of a line that are shown. */
const SHOWN = 2000;
/** A line with more bytes has more than `SHOWN` units, because one unit has at most three bytes. */
export const LINE_BYTES = 3 * SHOWN;
/** The line that ripgrep prints instead of, or after, the matches of a file with a NUL byte. */
const BINARY_NOTICE = /\(found "\\0" byte around offset \d+\)$/;

/** Stands between lines that are not neighbors, if there are context lines. */
const GAP = Buffer.from('--');

/** The matches of one file. */
export interface FileMatches {
  readonly path: Buffer;
  /** `line:content`, `line-content` or `--`, in the order of the file. */
  readonly kept: Buffer[];
  /** Number of all matches. */
  count: number;
}

/**
 * Groups the matches by file in the order of the output, and keeps at most `most` lines of each file. Leaves
 * out binary files. Leaves out a last line without a line feed, because it is incomplete.
 */
export function splitByFile(output: Buffer, most: number): FileMatches[] {
  const files: FileMatches[] = [];
  let start = 0;
  let hasGap = false;
  for (let end = output.indexOf(LINE_FEED); end >= 0; end = output.indexOf(LINE_FEED, end + 1)) {
    const record = output.subarray(start, end);
    const nul = record.indexOf(0);
    const isGap = record.equals(GAP);
    if (nul >= 0) addLine(files, record.subarray(0, nul), record.subarray(nul + 1), { most, hasGap });
    else if (BINARY_NOTICE.test(record.subarray(-60).toString('latin1'))) files.pop();
    else if (!isGap) continue; // the path contains a line feed, so the record continues
    hasGap = isGap;
    start = end + 1;
  }
  return files;
}

function addLine(
  files: FileMatches[],
  path: Buffer,
  line: Buffer,
  { most, hasGap }: { readonly most: number; readonly hasGap: boolean },
): void {
  let file = files.at(-1);
  if (!file?.path.equals(path)) {
    file = { path, kept: [], count: 0 };
    files.push(file);
  } else if (hasGap && file.kept.length < most) file.kept.push(GAP);
  if (file.kept.length < most) file.kept.push(line);
  if (isMatch(line)) file.count += 1;
}

function isMatch(line: Buffer): boolean {
  return line[numberOf(line)] === COLON;
}

/** The length of the line number. */
function numberOf(line: Buffer): number {
  let length = 0;
  while ((line[length] ?? 0) >= 0x30 && (line[length] ?? 0) <= 0x39) length += 1;
  return length;
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

interface ShownMatches {
  readonly lines: readonly string[];
  /** The number of matches, or of files, in the lines. */
  readonly count: number;
}

/**
 * At most `most` lines for the model: `line:content`, with the path before it if `withPath` is true; or paths
 * alone.
 */
export function formatMatches(
  files: readonly FileMatches[],
  { context = 0, filesOnly = false }: Pick<SearchQuery, 'context' | 'filesOnly'>,
  withPath: boolean,
  most: number,
): ShownMatches {
  if (filesOnly) {
    const lines = files.slice(0, most).map(({ path }) => path.toString('utf8'));
    return { lines, count: lines.length };
  }
  const lines: string[] = [];
  let count = 0;
  for (const { path, kept } of files) {
    if (context > 0 && lines.length > 0 && lines.length < most) lines.push('--');
    const name = withPath ? path.toString('utf8') : undefined;
    for (const line of kept.slice(0, Math.max(0, most - lines.length))) {
      if (isMatch(line)) count += 1;
      lines.push(line === GAP ? '--' : formatLine(line, name));
    }
  }
  return { lines: lines.at(-1) === '--' ? lines.slice(0, -1) : lines, count };
}

function formatLine(line: Buffer, name: string | undefined): string {
  const number = numberOf(line);
  const text = cutLine(line.toString('utf8'), number + 1);
  return name === undefined ? text : `${name}${text[number]}${text}`;
}

/** Cuts a long line, whose content begins at `start`, between two words. */
function cutLine(line: string, start: number): string {
  if (line.length - start <= SHOWN) return line;
  const shown = cutAtWord(line.slice(start), SHOWN);
  return `${line.slice(0, start)}${shown}... (line cut after ${shown.length} characters)`;
}
