// Encodes a line of a terminal as one string, in which a style code precedes each run of text.
import { classesOf, PLAIN, type Style } from './ansi-style.ts';
import { type TextPiece, visiblePieces } from './plain-text.ts';

export interface StyledRun {
  readonly text: string;
  readonly style: Style;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text of a line contains this character.
const styleMark = /\u001b\[([\d;]*)m/;

export function encodeLine(runs: readonly StyledRun[]): string {
  return runs
    .map(({ text, style }, at) => (at === 0 && style === PLAIN ? text : `\u001b[${style}m${text}`))
    .join('');
}

export function decodeLine(line: string): StyledRun[] {
  const parts = [PLAIN, ...line.split(styleMark)];
  const runs: StyledRun[] = [];
  for (let at = 0; at < parts.length; at += 2)
    runs.push({ style: parts[at] ?? PLAIN, text: parts[at + 1] ?? '' });
  return runs.filter(({ text }) => text !== '');
}

export function lengthOf(runs: readonly StyledRun[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

/** The most runs per line, so that the cost of a run does not depend on their number. */
const MAX_RUNS = 64;

/** Returns `runs`. If there are too many, merges the second half into one run. */
export function withFewRuns(runs: StyledRun[]): StyledRun[] {
  if (runs.length <= MAX_RUNS) return runs;
  const rest = runs.slice(MAX_RUNS / 2).map(({ text }) => text);
  return [...runs.slice(0, MAX_RUNS / 2), { text: rest.join(''), style: PLAIN }];
}

/** Appends `run`, merging it with the last run if the style is the same. */
export function appendRun(runs: StyledRun[], run: StyledRun): void {
  const last = runs.at(-1);
  if (last?.style === run.style) runs[runs.length - 1] = { ...run, text: last.text + run.text };
  else runs.push(run);
}

/** `runs` with `run` written over the text from `column` on. */
export function overwrite(runs: readonly StyledRun[], column: number, run: StyledRun): StyledRun[] {
  const written = slice(runs, 0, column);
  appendRun(written, run);
  return [...written, ...slice(runs, column + run.text.length)];
}

const halfCharacter = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;

/** A character that is cut in half becomes a space. */
export function slice(runs: readonly StyledRun[], from: number, to = Number.POSITIVE_INFINITY): StyledRun[] {
  let at = 0;
  const pieces = runs.map(({ text, style }) => {
    const start = at;
    at += text.length;
    const cut = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return { text: cut.replace(halfCharacter, ' '), style };
  });
  return pieces.filter(({ text }) => text !== '');
}

/** A text with its CSS classes. */
export interface Look {
  readonly text: string;
  readonly classes: string;
}

/** The most separately drawn pieces of a line; the rest has no color. */
const MAX_PIECES = 16;

/** The line as drawn, with hidden characters visible: at most `most` pieces and a rest. */
export function looksOf(line: string, most = MAX_PIECES): Look[] {
  const count = Math.min(MAX_PIECES, Math.floor(most));
  const looks = decodeLine(line).flatMap(({ text, style }) =>
    visiblePieces(text, false).map((piece) => ({ text: piece.text, classes: classOf(piece, style) })),
  );
  if (looks.length <= count) return looks;
  const rest = looks.slice(count).map(({ text }) => text);
  return [...looks.slice(0, count), { text: rest.join(''), classes: '' }];
}

function classOf(piece: TextPiece, style: Style): string {
  return piece.hidden ? 'escape' : classesOf(style);
}
