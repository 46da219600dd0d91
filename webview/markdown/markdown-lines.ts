// Classifies single lines of Markdown, as far as cutting a text at its blocks requires.

/** `indentation` in columns. */
export interface FenceOpening {
  readonly marker: string;
  readonly indentation: number;
  readonly info: string;
}

/** UTF-16 units; the emoji of a family of four has eleven. */
const LONGEST_CHARACTER = 40;
const TAB = 4;

const fenceLine = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n?$/;
const tableDelimiter = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*\|[-:| \t]*\n?$/;
const indented = /^(?: {4}|\t| {1,3}\t)/;
const heading = /^ {0,3}#{1,6}(?:\s|$)/;
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}\n?$/;

export function isIndented(line: string): boolean {
  return indented.test(line);
}

export function isTableDelimiter(line: string): boolean {
  return tableDelimiter.test(line);
}

export function isRule(line: string): boolean {
  return rule.test(line);
}

/** Whether `line` ends the paragraph or table before it, even without a blank line between them. */
export function endsParagraph(line: string): boolean {
  return heading.test(line) || isRule(line) || openingFence(line) !== undefined;
}

export function openingFence(line: string): FenceOpening | undefined {
  const [, indent, marker, info] = fenceLine.exec(line) ?? [];
  if (indent === undefined || marker === undefined || info === undefined) return undefined;
  if (marker.startsWith('`') && info.includes('`')) return undefined;
  return { marker, indentation: indent.length, info: info.trim() };
}

/** The last position up to `end` that does not split a character, which may have many code points. */
export function wholeCharacters(line: string, end: number): number {
  const from = end - LONGEST_CHARACTER;
  const around = line.slice(from, end + LONGEST_CHARACTER);
  const characters = [...new Intl.Segmenter().segment(around)];
  return from + (characters.findLast(({ index }) => index <= LONGEST_CHARACTER)?.index || LONGEST_CHARACTER);
}

export function closes(line: string, marker: string): boolean {
  const text = line.trim();
  return text.startsWith(marker) && text === text.charAt(0).repeat(text.length) && !isIndented(line);
}

/** The indentation in columns of `line`, which begins at column `from`. */
export function indentationOf(line: string, from = 0): number {
  const space = /^[ \t]*/.exec(line)?.[0] ?? '';
  return [...space].reduce((column, each) => column + widthOf(each, column), from) - from;
}

/** Removes at most `width` columns of indentation. A tab that reaches beyond them leaves spaces. */
export function withoutColumns(line: string, width: number): string {
  let column = 0;
  let at = 0;
  while (column < width && /[ \t]/.test(line.charAt(at))) {
    column += widthOf(line.charAt(at), column);
    at += 1;
  }
  return ' '.repeat(Math.max(0, column - width)) + line.slice(at);
}

export function lastLine(source: string): string {
  return source.slice(source.lastIndexOf('\n', source.length - 2) + 1);
}

function widthOf(space: string, column: number): number {
  return space === '\t' ? TAB - (column % TAB) : 1;
}
