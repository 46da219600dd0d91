// Markdown as the reader sees it, without its marks, so that a search finds what is shown. This is not a
// parser: a mark taken for text, or a text taken for a mark, costs one match.
const fence = /^ {0,3}(?:>[ ]?)*[ \t]*(`{3,}|~{3,})/;
const prefix = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t])?|#{1,6}[ \t]+))*[ \t]*/;
/** A rule, the line below a headline, or the line below a table's head. */
const decoration = /^[ \t|:*_=-]+$/;
/**
 * In this order: an escape, code, the two ends of a link, an address, strong and emphasis, a table's cells.
 */
const marks =
  /\\(?=[!-/:-@[-`{-~])|(?<!`)(?<ticks>`{1,9})(?!`)[^\n]{1,400}?(?<!`)\k<ticks>(?!`)|!?\[(?=[^[\]\n]{0,300}\]\()|\]\([^()\s]{0,2000}(?: "[^"\n]{0,200}")?\)|<https?:[^<>\s]{1,2000}>|~~|\*{1,3}|_{1,3}|\|/g;
const wordCharacter = /[\p{L}\p{N}]/u;

/** Chunks of a text in Markdown. */
export function* markdownChunks(source: string): Generator<Chunk> {
  let reading = new Reading();
  let marker = '';
  for (const [start, end] of linesOf(source)) {
    const line = source.slice(start, end);
    const opened = fence.exec(line)?.[1] ?? '';
    if (marker !== '') {
      if (opened.startsWith(marker)) marker = '';
      else reading.keep(start, `${line}\n`);
    } else if (opened !== '') {
      marker = opened;
      reading.endLine(start);
    } else readLine(reading, line, start);
    if (reading.length < CHUNK) continue;
    yield reading;
    reading = new Reading();
  }
  if (reading.length > 0) yield reading;
}

function* linesOf(source: string): Generator<[start: number, end: number]> {
  for (let start = 0; start < source.length; ) {
    const end = source.indexOf('\n', start);
    yield [start, end < 0 ? source.length : end];
    start = end < 0 ? source.length : end + 1;
  }
}

function readLine(reading: Reading, line: string, start: number): void {
  const skipped = prefix.exec(line)?.[0] ?? '';
  const isBlank = line.trim() === '' || decoration.test(line);
  const begins = isBlank || skipped.trim() !== '' || line.trimStart().startsWith('|');
  if (begins) reading.endLine(start);
  if (isBlank) return;
  readInline(reading, line, skipped.length, start);
  // A line break within a paragraph is shown as a space.
  reading.keep(start + line.length, ' ');
}

function readInline(reading: Reading, line: string, from: number, start: number): void {
  const open: string[] = [];
  let at = from;
  for (const match of line.slice(from).matchAll(marks)) {
    const [mark] = match;
    const place = from + match.index;
    const shown = shownOf(mark, line, place, open);
    if (shown === mark) continue;
    reading.keep(start + at, line.slice(at, place));
    reading.keep(start + place + Math.max(0, mark.indexOf(shown)), shown);
    at = place + mark.length;
  }
  reading.keep(start + at, line.slice(at));
}

/** The part of a mark that is shown. */
function shownOf(mark: string, line: string, place: number, open: string[]): string {
  if (mark.startsWith('`')) return mark.replace(/^`+ ?|`+$/g, '');
  if (mark.startsWith('<')) return mark.slice(1, -1);
  if (mark === '|') return line.trimStart().startsWith('|') ? '\n' : mark;
  if (mark.startsWith('*') || mark.startsWith('_')) return isEmphasis(mark, line, place, open) ? '' : mark;
  return '';
}

/** Whether the mark opens an emphasis that closes later in the line, or closes an open one. */
function isEmphasis(mark: string, line: string, place: number, open: string[]): boolean {
  const before = line[place - 1] ?? ' ';
  const after = line[place + mark.length] ?? ' ';
  if (mark.startsWith('_') && wordCharacter.test(before) && wordCharacter.test(after)) return false;
  if (open.at(-1) === mark && before.trim() !== '') return open.pop() !== undefined;
  if (after.trim() === '' || !line.includes(mark, place + mark.length)) return false;
  open.push(mark);
  return true;
}

/** A chunk that is assembled from pieces of the source. */
class Reading implements Chunk {
  text = '';
  /** The start of each piece: in `text`, in the source. */
  readonly #pieces: [at: number, source: number][] = [];

  get length(): number {
    return this.text.length;
  }

  keep(source: number, text: string): void {
    if (text === '') return;
    this.#pieces.push([this.text.length, source]);
    this.text += text;
  }

  endLine(source: number): void {
    if (this.text !== '' && !this.text.endsWith('\n')) this.keep(source, '\n');
  }

  sourceOf(offset: number): number {
    const piece = this.#pieces[this.#indexOf(offset)];
    return piece === undefined ? offset : piece[1] + offset - piece[0];
  }

  /** The index of the last piece that begins at or before `offset`. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pieces[middle]?.[0] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

// A text in chunks of whole lines, so that the work on a long one can be interrupted.

export interface Chunk {
  readonly text: string;
  /** The place in the source of the character at `offset` of `text`. */
  sourceOf(offset: number): number;
}

/** A chunk ends with the line in which it reaches this many characters. */
export const CHUNK = 8_000;

/** Chunks of a text that is shown as it is. */
export function* plainChunks(text: string): Generator<Chunk> {
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start + CHUNK);
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    const from = start;
    yield { text: text.slice(from, end), sourceOf: (offset) => from + offset };
    start = end;
  }
}
