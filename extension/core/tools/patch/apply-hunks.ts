import { type LineEnd, lineEndOf, splitLines, usualLineEnd, withoutLineEnd } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { PatchChunk, PatchLine } from './parse-patch.ts';

/** The place of a chunk's old lines in the old text; `start` is their first line. */
interface Place {
  readonly start: number;
  readonly lines: readonly PatchLine[];
}

/**
 * The text with all chunks applied, each after the one before it. Unchanged lines keep their bytes, even if
 * the patch writes them slightly differently. New lines get the usual line end, and the last line has one.
 * Throws `ToolError` if the lines of a chunk are not found; `path` names the file in the message.
 */
export function applyChunks(text: string, chunks: readonly PatchChunk[], path: string): string {
  const lines = splitLines(text);
  const bare = lines.map(withoutLineEnd);
  const places: Place[] = [];
  let position = 0;
  for (const chunk of chunks) {
    const place = placeOf(bare, chunk, position, path);
    places.push(place);
    const isAppended = oldLines(place.lines).length === 0;
    if (!isAppended) position = place.start + oldLines(place.lines).length;
  }
  places.sort((a, b) => a.start - b.start);
  return ended(assembled(lines, places, usualLineEnd(lines)), usualLineEnd(lines));
}

function placeOf(lines: readonly string[], chunk: PatchChunk, position: number, path: string): Place {
  const from = chunk.headers.reduce((at, header) => indexAfter(lines, header, at, path), position);
  const wanted = oldLines(chunk.lines);
  // Without old lines, the new ones go to the end of the file.
  if (wanted.length === 0) return { start: lines.length, lines: chunk.lines };
  const start = find(lines, wanted, from, chunk.atEnd);
  if (start !== undefined) return { start, lines: chunk.lines };
  return withoutLastEmpty(lines, chunk, from) ?? notFound(wanted, path);
}

/** The index of the line after the header. */
function indexAfter(lines: readonly string[], header: string, from: number, path: string): number {
  const found = seekLines(lines, [header], from);
  if (found !== undefined) return found + 1;
  throw new ToolError(`Failed to find context '${header}' in ${path}. Nothing was applied.`, {
    code: 'not_found',
  });
}

function find(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  atEnd: boolean,
): number | undefined {
  return seekLines(lines, wanted, atEnd ? Math.max(from, lines.length - wanted.length) : from);
}

/** An empty line at the end may stand for the end of the last line. */
function withoutLastEmpty(lines: readonly string[], chunk: PatchChunk, from: number): Place | undefined {
  const index = chunk.lines.findLastIndex(({ sign }) => sign !== '+');
  if (chunk.lines[index]?.text !== '') return undefined;
  const rest = chunk.lines.toSpliced(index, 1);
  const wanted = oldLines(rest);
  const start = wanted.length === 0 ? lines.length : find(lines, wanted, from, chunk.atEnd);
  return start === undefined ? undefined : { start, lines: rest };
}

function notFound(wanted: readonly string[], path: string): never {
  throw new ToolError(
    `Failed to find expected lines in ${path}:\n${wanted.join('\n')}\nNothing was applied. Read the file and use its lines as they are.`,
    { code: 'not_found' },
  );
}

function oldLines(lines: readonly PatchLine[]): string[] {
  return lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
}

/** `places` must be in order and must not overlap. */
function assembled(lines: readonly string[], places: readonly Place[], lineEnd: LineEnd): string[] {
  const result: string[] = [];
  let next = 0;
  const keep = (end: number) => {
    for (; next < end; next += 1) result.push(lines[next] ?? '');
  };
  for (const place of places) {
    keep(place.start);
    for (const { sign, text } of place.lines) {
      if (sign === '+') result.push(text + lineEnd);
      else if (sign === ' ') keep(next + 1);
      else next += 1;
    }
  }
  keep(lines.length);
  return result;
}

/** Adds missing line ends, because the former last line may have another line after it. */
function ended(lines: readonly string[], lineEnd: LineEnd): string {
  return lines.map((line) => (lineEndOf(line) === '' ? line + lineEnd : line)).join('');
}

/** Comparisons of two lines, from strict to lenient. */
const SAME: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plain(line).trim(),
];

const DASHES = /[\u2010-\u2015\u2212]/g;
const SINGLE_QUOTES = /[\u2018-\u201b]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f]/g;
const SPACES = /[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g;

/** Replaces typographic dashes, quotes and spaces by those of a keyboard. */
function plain(line: string): string {
  return line
    .replace(DASHES, '-')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(SPACES, ' ');
}

/**
 * The first place of `wanted` in `lines` from index `from` on, by the strictest comparison that finds one.
 */
export function seekLines(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
): number | undefined {
  for (const form of SAME) {
    const found = seek(lines, wanted, from, form);
    if (found !== undefined) return found;
  }
  return undefined;
}

function seek(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  form: (line: string) => string,
): number | undefined {
  const forms = wanted.map(form);
  const [first] = forms;
  for (let at = from; at + wanted.length <= lines.length; at += 1) {
    if (form(lines[at] ?? '') !== first) continue;
    if (forms.every((line, index) => form(lines[at + index] ?? '') === line)) return at;
  }
  return undefined;
}
