// What ripgrep and grep print with `--with-filename --line-number --null`: `path NUL line : content LF` for each match.
import { sep } from 'node:path';
import { cutAtWord } from '../../core/base/text/truncate.ts';

const LINE_FEED = 10;
/** UTF-16 units of a line that are shown. */
const SHOWN = 2000;
/** A line of more bytes than this has more than `SHOWN` units: one unit is three bytes at most. */
export const LINE_BYTES = 3 * SHOWN;
/** ripgrep's line in place of, or after, the matches of a file in which it met a NUL. */
const BINARY_NOTICE = /\(found "\\0" byte around offset \d+\)$/;

/** The matches of one file. */
export interface FileMatches {
  readonly path: Buffer;
  /** `line:content` of the first matches. */
  readonly kept: Buffer[];
  /** How many matches there are. */
  count: number;
}

/**
 * The matches file by file, in the order of the output and at most `most` kept of each file. A file that turned out to be
 * binary is left out. A last line without a line feed is not whole and left out.
 */
export function splitByFile(output: Buffer, most: number): FileMatches[] {
  const files: FileMatches[] = [];
  let start = 0;
  for (let end = output.indexOf(LINE_FEED); end >= 0; end = output.indexOf(LINE_FEED, end + 1)) {
    const record = output.subarray(start, end);
    const nul = record.indexOf(0);
    if (nul >= 0) addMatch(files, record.subarray(0, nul), record.subarray(nul + 1), most);
    else if (BINARY_NOTICE.test(record.subarray(-60).toString('latin1'))) files.pop();
    else continue; // a line feed in the path: the record goes on
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

/** Folder by folder, names by their bytes: the order of `rg --sort path`. */
export function sortByPath(files: readonly FileMatches[]): FileMatches[] {
  return files
    .map((file) => ({ file, key: file.path.toString('latin1').replaceAll(sep, '\0') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ file }) => file);
}

export function countMatches(files: readonly FileMatches[]): number {
  return files.reduce((sum, { count }) => sum + count, 0);
}

/** The sum of what `--count --no-filename` prints. */
export function sumCounts(output: Buffer): number {
  return output
    .toString('latin1')
    .split('\n')
    .reduce((sum, count) => sum + Number(count), 0);
}

/** At most `most` lines as the model reads them: `line:content`, with the path before it where `withPath`. */
export function formatMatches(files: readonly FileMatches[], withPath: boolean, most: number): string[] {
  const lines: string[] = [];
  for (const { path, kept } of files) {
    const prefix = withPath ? `${path.toString('utf8')}:` : '';
    for (const match of kept.slice(0, most - lines.length))
      lines.push(prefix + cutLine(match.toString('utf8')));
  }
  return lines;
}

/** Long lines are cut between two words. */
function cutLine(match: string): string {
  const content = match.indexOf(':') + 1;
  if (match.length - content <= SHOWN) return match;
  const shown = cutAtWord(match.slice(content), SHOWN);
  return `${match.slice(0, content)}${shown}... (line cut after ${shown.length} characters)`;
}
