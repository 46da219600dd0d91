// What single lines of markdown are, as far as cutting a text at its blocks needs to know.

/** `fence` is the marker with its indentation. */
export interface Opening {
  readonly fence: string;
  readonly info: string;
}

/** UTF-16 units: a family of four has eleven. */
const LONGEST_CHARACTER = 40;

const fenceLine = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n?$/;
const nestedFenceLine = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})(.*)/;
const listMarker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/m;
const topLevelItem = /^ ?(?:[-*+]|\d{1,9}[.)])[ \t]/;
const tableDelimiter = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*\|[-:| \t]*\n?$/;
const indented = /^(?: {4}|\t| {1,3}\t)/;

export function isIndented(line: string): boolean {
  return indented.test(line);
}

/** Whether some line of `lines` begins an item. */
export function beginsItem(lines: string): boolean {
  return listMarker.test(lines);
}

export function beginsTopLevelItem(line: string): boolean {
  return topLevelItem.test(line);
}

export function isTableDelimiter(line: string): boolean {
  return tableDelimiter.test(line);
}

export function nestedFence(line: string): Opening | undefined {
  const [, before, marker, info] = nestedFenceLine.exec(line) ?? [];
  if (before === undefined || marker === undefined || info === undefined) return undefined;
  return { fence: ' '.repeat(before.length) + marker, info: info.trim() };
}

export function openingFence(line: string, inList: boolean): Opening | undefined {
  const [, indent, marker, info] = fenceLine.exec(line) ?? [];
  if (indent === undefined || marker === undefined || info === undefined) return undefined;
  if (marker.startsWith('`') && info.includes('`')) return undefined;
  return inList && indent.length >= 2 ? undefined : { fence: indent + marker, info: info.trim() };
}

/** The last place up to `end` that is not inside of a character, which may have many code points. */
export function wholeCharacters(line: string, end: number): number {
  const from = end - LONGEST_CHARACTER;
  const around = line.slice(from, end + LONGEST_CHARACTER);
  const characters = [...new Intl.Segmenter().segment(around)];
  return from + (characters.findLast(({ index }) => index <= LONGEST_CHARACTER)?.index || LONGEST_CHARACTER);
}

export function closes(line: string, marker: string): boolean {
  const text = line.trim();
  return text.startsWith(marker) && text === text.charAt(0).repeat(text.length);
}

export function withoutIndent(line: string, width: number): string {
  return width === 0 ? line : line.slice(Math.min(width, line.length - line.trimStart().length));
}

export function lastLine(source: string): string {
  return source.slice(source.lastIndexOf('\n', source.length - 2) + 1);
}
