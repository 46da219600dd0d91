// Finds the place that a model means by a text which it copied, perhaps not to the letter.
import { countLinesIn, splitLines, withoutLineEnd } from '../../base/text/lines.ts';

/** Characters `start` to `end` (exclusive) of the file. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** How a text was compared with the file. Each one also accepts what those before it accept. */
export type Matching = 'exact' | 'spaces' | 'indentation' | 'typography';

export interface Found {
  readonly matching: Matching;
  /** In ascending order; more than one if the text is ambiguous. */
  readonly places: readonly Place[];
}

/** Places beyond this are not looked for. */
export const MOST_PLACES = 1000;
/** A file with more lines is not split, because each would take 100 bytes and more. */
export const MOST_LINES = 250_000;

/**
 * The places of the first comparison that finds any; undefined if none does. Takes O(text) each. Places to
 * replace together (`all`) do not overlap; else `}}` is twice in `}}}`.
 */
export function findText(text: string, wanted: string, all: boolean): Found | undefined {
  const exact = placesOf(text, wanted, all);
  return exact.length > 0 ? { matching: 'exact', places: exact } : findLoosely(text, wanted, all);
}

function findLoosely(text: string, wanted: string, all: boolean): Found | undefined {
  const found = findLines(text, wanted, all);
  if (found) return found;
  const plain = placesOf(plainTypography(text), plainTypography(wanted), all);
  if (plain.length > 0) return { matching: 'typography', places: plain };
  const loose = placesOfLines(linesIn(text), wanted, (line) => plainTypography(line).trimEnd(), all);
  return loose.length > 0 ? { matching: 'typography', places: loose } : undefined;
}

/** Whole lines that differ from the wanted ones in white space. */
export function findLines(text: string, wanted: string, all = false): Found | undefined {
  const lines = linesIn(text);
  for (const [matching, keyOf] of LINE_KEYS) {
    const places = placesOfLines(lines, wanted, keyOf, all).filter(
      (place) => matching !== 'indentation' || isShifted(text.slice(place.start, place.end), wanted),
    );
    if (places.length > 0) return { matching, places };
  }
  return undefined;
}

/** In the order in which they are tried. */
const LINE_KEYS: readonly (readonly [Matching, (line: string) => string])[] = [
  ['spaces', (line) => line.trimEnd()],
  ['indentation', (line) => line.trim()],
];

function placesOf(text: string, wanted: string, all: boolean): Place[] {
  const places: Place[] = [];
  const step = all ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) {
    places.push({ start: at, end: at + wanted.length });
    if (places.length === MOST_PLACES) break;
  }
  return places;
}

interface TextLine {
  readonly text: string;
  readonly start: number;
}

/** None of a file with very many. */
function linesIn(text: string): TextLine[] {
  if (countLinesIn(text) > MOST_LINES) return [];
  let start = 0;
  return splitLines(text).map((line) => {
    const item = { text: line, start };
    start += line.length;
    return item;
  });
}

/** The places where every line has the same key as the wanted one. Blank text has no place. */
function placesOfLines(
  lines: readonly TextLine[],
  wanted: string,
  keyOf: (line: string) => string,
  all: boolean,
): Place[] {
  const keys = splitLines(wanted).map((line) => keyOf(withoutLineEnd(line)));
  const anchor = keys.findIndex((key) => key !== '');
  if (anchor < 0) return [];
  const places: Place[] = [];
  for (let at = anchor; at < lines.length && places.length < MOST_PLACES; at += 1) {
    const first = at - anchor;
    if (!keys.every((key, index) => keyOf(withoutLineEnd(lines[first + index]?.text ?? '\0')) === key))
      continue;
    places.push(placeOf(lines, first, keys.length, /\n$/.test(wanted)));
    if (all) at += keys.length - 1;
  }
  return places;
}

/** The last line end belongs to the place only if the wanted text has one. */
function placeOf(lines: readonly TextLine[], first: number, count: number, withEnd: boolean): Place {
  const start = lines[first]?.start ?? 0;
  const last = lines[first + count - 1];
  if (!last) return { start, end: start };
  return { start, end: last.start + (withEnd ? last.text : withoutLineEnd(last.text)).length };
}

/** Each indentation of the wanted text stands for one of the file, and a deeper one never for a shallower. */
function isShifted(found: string, wanted: string): boolean {
  const pairs = indentationPairs(found, wanted);
  return pairs.every(([from, to]) =>
    pairs.every(([otherFrom, otherTo]) =>
      from === otherFrom
        ? to === otherTo
        : widthOf(from) < widthOf(otherFrom) === widthOf(to) < widthOf(otherTo),
    ),
  );
}

/** The distinct indentations of the wanted lines, each with that of the file's line. */
export function indentationPairs(found: string, wanted: string): (readonly [from: string, to: string])[] {
  const foundLines = splitLines(found);
  const pairs = new Map<string, readonly [string, string]>();
  for (const [index, line] of splitLines(wanted).entries()) {
    if (line.trim() === '') continue;
    const pair = [leadingSpace(line), leadingSpace(foundLines[index] ?? '')] as const;
    pairs.set(pair.join('\0'), pair);
  }
  return [...pairs.values()];
}

export function leadingSpace(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** In columns, with tabs of four. */
export function widthOf(indentation: string): number {
  return [...indentation].reduce((width, character) => width + (character === '\t' ? 4 : 1), 0);
}

const TYPOGRAPHY: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201A': "'",
  '\u201B': "'",
  '\u2032': "'",
  '\u201C': '"',
  '\u201D': '"',
  '\u201E': '"',
  '\u201F': '"',
  '\u2033': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u00A0': ' ',
  '\u2002': ' ',
  '\u2003': ' ',
  '\u2009': ' ',
  '\u202F': ' ',
};
const TYPOGRAPHIC = new RegExp(`[${Object.keys(TYPOGRAPHY).join('')}]`, 'g');

/** The text with plain quotes, dashes and spaces; it has as many characters as before. */
export function plainTypography(text: string): string {
  return text.replace(TYPOGRAPHIC, (character) => TYPOGRAPHY[character] ?? character);
}
