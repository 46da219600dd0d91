// The quotes and list items that contain a line of Markdown, and how a piece of a cut text reopens them.
import { endsParagraph, indentationOf, isRule, withoutColumns } from './markdown-lines.ts';

export interface Container {
  /** `>`, `-`, `1.` */
  readonly mark: string;
  /** Of an item: columns from the text of its container to its own text. */
  readonly width: number;
  /** Of a numbered item: the number that the page shows, even if the source has another one. */
  readonly number: number | undefined;
}

/** The containers of a line. The first `kept` ones also contain the line before. */
export interface Within {
  readonly containers: readonly Container[];
  readonly kept: number;
  /** The rest of the line inside all containers. */
  readonly rest: string;
  /** Whether the line's first new item belongs to the list of the item before. */
  readonly isNext: boolean;
  /** Whether the line continues a paragraph without the marks of its containers. */
  readonly isLazy: boolean;
}

/** What a piece of a cut text must repeat at its beginning. */
export interface Frame {
  /** Lines of Markdown: only the items, because the piece's lines do not have their marks. */
  readonly marks: string;
  /** Like `marks`, with the quotes. */
  readonly around: string;
  /** The number of items in `marks`. */
  readonly carried: number;
  /** The numbers of the numbered items that the piece begins with. */
  readonly numbers: readonly number[];
}

export const NO_FRAME: Frame = { marks: '', around: '', carried: 0, numbers: [] };

interface Begun {
  readonly container: Container;
  readonly rest: string;
}

const quoteMark = /^ {0,3}> ?/;
const itemMark = /^( {0,3})([-*+]|\d{1,9}[.)])([ \t]+|$)/;
/** Columns. An item's text begins at most this far after its mark. */
const FARTHEST = 4;

export function isItem({ mark }: Container): boolean {
  return mark !== '>';
}

/** The number of containers that `line` lies within, and the rest of the line. */
export function enter(containers: readonly Container[], line: string): { depth: number; rest: string } {
  let rest = line;
  for (const [depth, container] of containers.entries()) {
    const inner = lineWithin(container, rest);
    if (inner === undefined) return { depth, rest };
    rest = inner;
  }
  return { depth: containers.length, rest };
}

/** `isAfterText`: the line before may belong to an open paragraph. */
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

/** The frame of a piece within the first `kept` of `containers`. */
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

/** The beginning of a line within these containers. */
export function leadWithin(containers: readonly Container[]): string {
  return containers.map(leadOf).join('');
}

function leadOf({ mark, width }: Container): string {
  return mark === '>' ? '> ' : ' '.repeat(width);
}

/** An item without text has its text one column after its mark, so the padding goes before the mark. */
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

/** Whether an item may interrupt a paragraph. A year at the start of one of its lines is not an item. */
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
