// The quotes and items of lists that a line of markdown lies within, and how a text that is cut begins them anew.
import { endsParagraph, indentationOf, isRule, withoutColumns } from './markdown-lines.ts';

export interface Container {
  /** `>`, `-`, `1.` */
  readonly mark: string;
  /** Of an item: columns from the text of what is around it to its own text. */
  readonly width: number;
  /** Of a numbered item: as it is shown, whatever is written. */
  readonly number: number | undefined;
}

/** Where a line lies: the first `kept` containers are those of the line before. */
export interface Within {
  readonly containers: readonly Container[];
  readonly kept: number;
  /** What of the line is within all of them. */
  readonly rest: string;
  /** Whether its first new item belongs to the list of the item before. */
  readonly isNext: boolean;
  /** Whether it goes on with a paragraph without saying what it lies within. */
  readonly isLazy: boolean;
}

/** What the beginning of a piece of a cut text says again. */
export interface Frame {
  /** Lines of markdown: only the items, whose marks the lines of the piece do not have. */
  readonly marks: string;
  /** The same, with the quotes. */
  readonly around: string;
  /** Number of items among them. */
  readonly carried: number;
  /** Numbers of the numbered items that the piece begins with. */
  readonly numbers: readonly number[];
}

export const NO_FRAME: Frame = { marks: '', around: '', carried: 0, numbers: [] };

interface Begun {
  readonly container: Container;
  readonly rest: string;
}

const quoteMark = /^ {0,3}> ?/;
const itemMark = /^( {0,3})([-*+]|\d{1,9}[.)])([ \t]+|$)/;
/** Columns: the text of an item begins at most so far behind its mark. */
const FARTHEST = 4;

export function isItem({ mark }: Container): boolean {
  return mark !== '>';
}

/** How many of the containers `line` lies within, and what of it does. */
export function enter(containers: readonly Container[], line: string): { depth: number; rest: string } {
  let rest = line;
  for (const [depth, container] of containers.entries()) {
    const inner = lineWithin(container, rest);
    if (inner === undefined) return { depth, rest };
    rest = inner;
  }
  return { depth: containers.length, rest };
}

/** `isAfterText`: the line before may be a paragraph that goes on. */
export function follow(containers: readonly Container[], line: string, isAfterText: boolean): Within {
  const { depth, rest } = enter(containers, line);
  const isInText = isAfterText && depth === containers.length;
  const begun: Container[] = [];
  let inner = rest;
  for (let next = nextContainer(inner, containers[depth], isInText); next; ) {
    begun.push(next.container);
    inner = next.rest;
    next = nextContainer(inner, undefined, false);
  }
  const isLazy =
    isAfterText && !isInText && begun.length === 0 && inner.trim() !== '' && !endsParagraph(inner);
  if (isLazy) return { containers, kept: containers.length, rest: inner, isNext: false, isLazy };
  const isNext = isSameList(containers[depth], begun[0]);
  return { containers: [...containers.slice(0, depth), ...begun], kept: depth, rest: inner, isNext, isLazy };
}

/** What a piece begins with that lies within `kept`, the first ones of `containers`. */
export function frameOf(containers: readonly Container[], kept: number): Frame {
  const outer = containers.slice(0, kept);
  let marks = '';
  let lead = '';
  for (const container of outer) {
    if (isItem(container)) marks += `${lead}${paddedMark(container)}\n`;
    lead += leadOf(container);
  }
  const numbers = containers.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const around = lead === '' ? '' : marks + (outer.at(-1)?.mark === '>' ? `${lead}\n` : '');
  return { marks, around, carried: outer.filter(isItem).length, numbers };
}

/** What a line within them begins with. */
export function leadWithin(containers: readonly Container[]): string {
  return containers.map(leadOf).join('');
}

function leadOf({ mark, width }: Container): string {
  return mark === '>' ? '> ' : ' '.repeat(width);
}

/** An item without text has its text one column behind its mark: so the mark stands there. */
function paddedMark({ mark, width }: Container): string {
  return ' '.repeat(Math.min(3, Math.max(0, width - mark.length - 1))) + mark;
}

function lineWithin({ mark, width }: Container, line: string): string | undefined {
  if (mark === '>') return quoteMark.test(line) ? line.replace(quoteMark, '') : undefined;
  if (line.trim() === '') return line;
  return indentationOf(line) >= width ? withoutColumns(line, width) : undefined;
}

function nextContainer(line: string, before: Container | undefined, isInText: boolean): Begun | undefined {
  if (!quoteMark.test(line)) return nextItem(line, before, isInText);
  return { container: { mark: '>', width: 0, number: undefined }, rest: line.replace(quoteMark, '') };
}

function nextItem(line: string, before: Container | undefined, isInText: boolean): Begun | undefined {
  const [all, indentation = '', mark = '', space = ''] = itemMark.exec(line.trimEnd()) ?? [];
  if (all === undefined || isRule(line)) return undefined;
  const end = indentation.length + mark.length;
  const text = line.slice(end);
  if (isInText && !mayInterrupt(mark, text)) return undefined;
  const columns = indentationOf(space, end);
  const gap = columns > FARTHEST ? 1 : Math.max(1, columns);
  const container = { mark, width: end + gap, number: numberOf(mark, before) };
  return { container, rest: withoutColumns(text, gap) };
}

/** A paragraph: a year that begins one of its lines is no item. */
function mayInterrupt(mark: string, text: string): boolean {
  return text.trim() !== '' && (!/^\d/.test(mark) || Number.parseInt(mark, 10) === 1);
}

function numberOf(mark: string, before: Container | undefined): number | undefined {
  const written = Number.parseInt(mark, 10);
  if (Number.isNaN(written)) return undefined;
  return before?.number !== undefined && isSameList(before, { mark }) ? before.number + 1 : written;
}

function isSameList(before: { mark: string } | undefined, next: { mark: string } | undefined): boolean {
  return before?.mark.at(-1) === next?.mark.at(-1) && next !== undefined && next.mark !== '>';
}
