// Cuts a growing Markdown text at its closed top-level blocks. A finished block is rendered once, and only
// the open one is rendered again. A missing cut is harmless, but a cut too early is not, so every rule here
// is conservative. The cuts depend only on the text, never on its chunks.

import {
  type Container,
  enter,
  type Frame,
  follow,
  frameOf,
  isItem,
  leadWithin,
  NO_FRAME,
  type Within,
} from './containers.ts';
import {
  closes,
  endsParagraph,
  type FenceOpening,
  isIndented,
  isTableDelimiter,
  lastLine,
  openingFence,
  wholeCharacters,
  withoutColumns,
} from './markdown-lines.ts';
import { columnShares } from './table-columns.ts';

/**
 * The `source` of a fence is its code; that of Markdown is the text as written. Only the last block may be
 * open.
 */
export interface Block {
  readonly kind: 'markdown' | 'fence';
  /** The text after the opening fence: `ts`, `diff title="a"`. */
  readonly info: string;
  /** The offset of its first line in the text, in characters. For a fence, that is the opening line. */
  readonly start: number;
  source: string;
  /**
   * The containers of the block. The source of Markdown begins with their marks; that of a fence does not.
   */
  frame: Frame;
  table: CutTable | undefined;
  /** Whether it continues what the block before it began. */
  continues: boolean;
  closed: boolean;
}

/**
 * The piece of a cut table. All pieces have the first one's shape. `isRest`: the piece has its head only for
 * screen readers.
 */
export interface CutTable {
  /** The width of each column in percent. */
  readonly shares: readonly number[];
  readonly isRest: boolean;
}

export interface SplitText {
  /** The whole text so far. */
  content: string;
  blocks: Block[];
  /** The last line while it is incomplete. */
  line: string;
  /** The offset of that line in the text. */
  lineStart: number;
  scan: Scan;
}

interface Scan {
  fence: Fence | undefined;
  /** The containers of the last line. */
  containers: readonly Container[];
  /** Head and delimiter line of the open table; empty outside a table. */
  table: string;
  blank: boolean;
  /** Whether the last line may belong to a paragraph. */
  isText: boolean;
}

interface Fence extends FenceOpening {
  /** The containers of the fence. The last `begun` of them begin on its line. */
  readonly containers: readonly Container[];
  readonly begun: number;
  /**
   * The offset of its first line in the text (`start`), and in the open block (`at`) if the fence is not a
   * block of its own.
   */
  readonly start: number;
  readonly at: number | undefined;
}

/** Characters. A longer open block is cut at the next good place, so that each rendering stays small. */
export const OPEN_LIMIT = 4_000;
/** The limit of a table or a list, because its short lines make many elements. */
const STRUCTURE_LIMIT = 2_000;
/** The limit of a list item. Only a longer item is cut inside. */
const ITEM_LIMIT = 2 * STRUCTURE_LIMIT;

export function emptyText(): SplitText {
  return { content: '', blocks: [], line: '', lineStart: 0, scan: freshScan() };
}

export function splitWhole(content: string): SplitText {
  const text = emptyText();
  appendText(text, content);
  finish(text);
  return text;
}

export function appendText(text: SplitText, more: string): void {
  text.content += more;
  let rest = text.line + more;
  let end = rest.indexOf('\n', text.line.length);
  while (end >= 0) {
    const next = text.lineStart + end + 1;
    takeLine(text, rest.slice(0, end + 1));
    text.lineStart = next;
    rest = rest.slice(end + 1);
    end = rest.indexOf('\n');
  }
  text.line = text.scan.fence ? rest : cutLongLine(text, rest);
  if (beginsBlock(text)) closeBlock(text);
}

/** Whether the incomplete last line certainly begins another block, because a blank line precedes it. */
function beginsBlock({ scan, line }: SplitText): boolean {
  // In a list, a digit or a mark may begin the next item.
  return scan.blank && (scan.containers.length === 0 ? /^\S/ : /^[^\s\d>*+-]/).test(line);
}

/** Call at the end of the text. Closes the last block. */
export function finish(text: SplitText): void {
  if (text.line !== '') takeLine(text, text.line);
  text.line = '';
  closeBlock(text);
}

/**
 * The part of the last line that will certainly be visible: in a fence, its code without a possible start of
 * the closing line.
 */
export function visibleLine({ scan, line }: SplitText): string {
  if (!scan.fence) return line;
  const { marker, indentation, containers } = scan.fence;
  const { depth, rest } = enter(containers, line);
  const isEnd = depth < containers.length || marker.startsWith(rest.trim().slice(0, marker.length));
  return isEnd ? '' : withoutColumns(rest, indentation);
}

function takeLine(text: SplitText, line: string): void {
  const rest = text.scan.fence ? line : cutLongLine(text, line);
  if (text.scan.fence) takeFencedLine(text, text.scan.fence, rest);
  else takeTextLine(text, rest);
}

function takeFencedLine(text: SplitText, fence: Fence, line: string): void {
  const { depth, rest } = enter(fence.containers, line);
  if (depth < fence.containers.length) {
    endFence(text, fence);
    takeLine(text, line);
    return;
  }
  const isEnd = closes(rest, fence.marker);
  const isOwn = fence.at === undefined;
  const block = openBlock(text);
  if (!isOwn) block.source += line;
  else if (!isEnd) block.source += withoutColumns(rest, fence.indentation);
  if (isEnd) endFence(text, fence);
  else if (!isOwn && block.source.length >= OPEN_LIMIT) liftFence(text, block, fence, fence.at);
}

function endFence(text: SplitText, fence: Fence): void {
  if (fence.at === undefined) closeBlock(text);
  text.scan.fence = undefined;
  text.scan.blank = false;
  text.scan.isText = false;
}

/** Turns a long fence in a list or a quote into a block of its own, with the same containers. */
function liftFence(text: SplitText, block: Block, fence: Fence, at: number): void {
  const [opening = '', ...code] = block.source.slice(at).split(/(?<=\n)/);
  block.source = block.source.slice(0, at);
  if (fence.containers.slice(-fence.begun || Infinity).some(isItem)) {
    block.source += `${opening.slice(0, opening.indexOf(fence.marker)).trimEnd()}\n`;
  }
  const isAlone = block.source === '';
  if (isAlone) text.blocks.pop();
  startFence(text, fence, fence.containers, !isAlone || block.continues);
  for (const line of code) takeFencedLine(text, { ...fence, at: undefined }, line);
}

function startFence(
  text: SplitText,
  opening: FenceOpening & { readonly start: number },
  containers: readonly Container[],
  continues: boolean,
): void {
  const { info, start } = opening;
  closeBlock(text);
  text.blocks.push({
    ...emptyBlock(start),
    kind: 'fence',
    info,
    frame: frameOf(containers, containers.length),
    continues,
  });
  text.scan.fence = { ...opening, containers, begun: 0, at: undefined };
  text.scan.containers = containers;
}

function takeTextLine(text: SplitText, line: string): void {
  const within = follow(text.scan.containers, line, text.scan.isText);
  const isBlank = within.rest.trim() === '';
  const opening = openingFence(within.rest);
  if (isBlank && within.kept === within.containers.length) takeBlankLine(text, line, within);
  else if (opening && within.containers.length === 0) {
    startFence(text, { ...opening, start: text.lineStart }, [], false);
  } else takeMarkdownLine(text, line, within, opening);
}

function takeBlankLine({ blocks, scan }: SplitText, line: string, { containers }: Within): void {
  const block = blocks.at(-1);
  scan.containers = containers;
  scan.table = '';
  scan.isText = false;
  if (block === undefined || block.closed) return;
  block.source += line;
  scan.blank = true;
}

function takeMarkdownLine(
  text: SplitText,
  line: string,
  within: Within,
  opening: FenceOpening | undefined,
): void {
  const isRow = continuesTable(text, within);
  const table = isRow ? text.scan.table : '';
  if (isTooLong(text, within, isRow)) cutBlock(text, table);
  else if (startsBlock(text, within)) closeBlock(text);
  const block = openBlock(text);
  if (block.source === '') beginBlock(block, within, table);
  noteLine(text, block, line, within, table);
  if (opening) openNested(text, block, opening, within);
  block.source += line;
}

function openNested(
  text: SplitText,
  block: Block,
  opening: FenceOpening,
  { containers, kept }: Within,
): void {
  const begun = containers.length - kept;
  text.scan.fence = { ...opening, containers, begun, start: text.lineStart, at: block.source.length };
}

function continuesTable({ scan }: SplitText, { containers, kept, rest }: Within): boolean {
  const isInside = kept === containers.length && kept === scan.containers.length;
  return scan.table !== '' && isInside && !endsParagraph(rest);
}

function beginBlock(block: Block, { containers, kept, isNext }: Within, table: string): void {
  block.frame = frameOf(containers, kept);
  block.continues = kept > 0 || isNext || table !== '';
  block.source = block.frame.marks + table;
}

function noteLine(text: SplitText, block: Block, line: string, within: Within, table: string): void {
  const { scan } = text;
  const isHead = scan.isText && within.kept === within.containers.length && !within.containers.some(isItem);
  const isTable = isHead && isTableDelimiter(within.rest);
  scan.table = isTable ? lastLine(block.source) + line : table;
  scan.containers = within.containers;
  scan.blank = false;
  scan.isText = scan.table === '' && within.rest.trim() !== '' && !endsParagraph(within.rest);
}

function startsBlock({ scan }: SplitText, { kept, isNext, rest }: Within): boolean {
  return scan.blank && kept === 0 && !isNext && !isIndented(rest);
}

function isTooLong({ blocks, scan }: SplitText, within: Within, isRow: boolean): boolean {
  const block = blocks.at(-1);
  const isList = within.containers.some(isItem);
  const limit = isRow || isList ? STRUCTURE_LIMIT : OPEN_LIMIT;
  if (block === undefined || block.closed || block.source.length < limit) return false;
  return (
    isRow || (isList ? canBeginItem(block, within, scan.blank) : !within.isLazy && !isIndented(within.rest))
  );
}

/** An outermost item may begin. In a long item, so may another item or a paragraph. */
function canBeginItem({ source }: Block, { containers, kept }: Within, isAfterBlank: boolean): boolean {
  if (!containers.slice(0, kept).some(isItem)) return true;
  return source.length >= ITEM_LIMIT && (kept < containers.length || isAfterBlank);
}

/** `table`: the table of the next row. */
function cutBlock(text: SplitText, table: string): void {
  const block = text.blocks.at(-1);
  closeBlock(text);
  if (block === undefined || table === '') return;
  const shares = block.table?.shares ?? columnShares(block.source.slice(block.source.lastIndexOf(table)));
  block.table ??= { shares, isRest: false };
  openBlock(text).table = { shares, isRest: true };
}

/** Cuts off what exceeds the limit at the front of `line`, as separate blocks. Returns the rest. */
function cutLongLine(text: SplitText, line: string): string {
  let rest = line;
  while (rest.length > OPEN_LIMIT && !text.scan.fence && !mayBeRow(text, rest) && rest.trim() !== '') {
    const space = rest.lastIndexOf(' ', OPEN_LIMIT - 1) + 1;
    const at = space > OPEN_LIMIT / 2 ? space : wholeCharacters(rest, OPEN_LIMIT);
    takeTextLine(text, `${rest.slice(0, at)}\n`);
    if (text.scan.fence) endFence(text, text.scan.fence);
    closeBlock(text);
    const lead = leadWithin(text.scan.containers).slice(0, OPEN_LIMIT / 4);
    text.lineStart += at - lead.length;
    rest = lead + rest.slice(at);
  }
  return rest;
}

/** A table row must stay whole. */
function mayBeRow({ scan }: SplitText, line: string): boolean {
  return scan.table !== '' || /^[ >]*\|/.test(line);
}

function openBlock(text: SplitText): Block {
  const last = text.blocks.at(-1);
  if (last !== undefined && !last.closed) return last;
  const block = emptyBlock(text.lineStart);
  text.blocks.push(block);
  return text.blocks.at(-1) ?? block;
}

function emptyBlock(start: number): Block {
  return {
    kind: 'markdown',
    info: '',
    start,
    source: '',
    frame: NO_FRAME,
    table: undefined,
    continues: false,
    closed: false,
  };
}

function closeBlock({ blocks, scan }: SplitText): void {
  const last = blocks.at(-1);
  if (last !== undefined) last.closed = true;
  scan.table = '';
  scan.blank = false;
  scan.isText = false;
}

function freshScan(): Scan {
  return { fence: undefined, containers: [], table: '', blank: false, isText: false };
}
