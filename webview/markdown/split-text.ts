// Cuts a growing markdown text at its closed top-level blocks, so that a finished block is rendered once and only the
// open one again. Not cutting is always right, cutting too early is not: every rule here is on the careful side.
// Where it cuts depends on the text alone, never on how it arrived.

import { beginsAnyItem, itemsAround } from './items-around.ts';
import {
  beginsItem,
  beginsTopLevelItem,
  closes,
  isIndented,
  isTableDelimiter,
  lastLine,
  nestedFence,
  type Opening,
  openingFence,
  wholeCharacters,
  withoutIndent,
} from './markdown-lines.ts';

/** `source` of a fence is its code; of markdown, the text as written. Only the last block may be open. */
export interface Block {
  readonly kind: 'markdown' | 'fence';
  /** What follows the opening fence: `ts`, `diff title="a"`. */
  readonly info: string;
  /** Where in the text its first line begins (characters); of a fence, the line that opens it. */
  readonly start: number;
  source: string;
  /** Items of a list whose marks its source begins with again: it lies within them. */
  carried: number;
  closed: boolean;
}

export interface SplitText {
  /** All that has arrived. */
  content: string;
  blocks: Block[];
  /** The last line, as long as its end has not arrived. */
  line: string;
  /** Where in the text that line begins. */
  lineStart: number;
  scan: Scan;
}

interface Scan {
  /** The marker of the open top-level fence, with its indentation; empty outside. */
  fence: string;
  /** The fence that is open inside a list item. */
  nested: Opening | undefined;
  list: boolean;
  /** Head and delimiter line of the open table; empty outside. */
  table: string;
  blank: boolean;
}

/** An open block is cut at the next good place once it is this long (characters): what is rendered again stays small. */
export const OPEN_LIMIT = 4_000;
/** The same of a table or a list, whose short lines are many elements. */
const STRUCTURE_LIMIT = 2_000;
/** The same of an item: only what is longer is cut within. */
const ITEM_LIMIT = 2 * STRUCTURE_LIMIT;

export function emptyText(): SplitText {
  return { content: '', blocks: [], line: '', lineStart: 0, scan: freshScan() };
}

export function splitWhole(content: string): SplitText {
  const text = emptyText();
  append(text, content);
  finish(text);
  return text;
}

export function append(text: SplitText, more: string): void {
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
}

/** No more will come: closes the last block. */
export function finish(text: SplitText): void {
  if (text.line !== '') takeLine(text, text.line);
  text.line = '';
  closeBlock(text);
}

/** What of the last line is already sure to be shown: not the beginning of a closing fence. */
export function visibleLine(text: SplitText): string {
  const marker = text.scan.fence.trim();
  return marker !== '' && marker.startsWith(text.line.trim().slice(0, marker.length)) ? '' : text.line;
}

function takeLine(text: SplitText, line: string): void {
  if (text.scan.fence) takeFencedLine(text, line);
  else if (line.trim() === '') takeBlankLine(text, line);
  else takeRest(text, cutLongLine(text, line));
}

function takeRest(text: SplitText, line: string): void {
  if (line.trim() !== '') takeTextLine(text, line);
}

function takeFencedLine(text: SplitText, line: string): void {
  const { fence } = text.scan;
  const width = fence.length - fence.trimStart().length;
  const isCode = isIndented(width > 3 ? withoutIndent(line, width) : line);
  if (closes(line, fence.trim()) && !isCode) closeBlock(text);
  else openBlock(text).source += withoutIndent(line, width);
}

function takeBlankLine(text: SplitText, line: string): void {
  const block = text.blocks.at(-1);
  if (block === undefined || block.closed) return;
  block.source += line;
  text.scan.blank = true;
}

function takeTextLine(text: SplitText, line: string): void {
  const opening = openingFence(line, text.scan.list);
  if (text.scan.nested) takeNestedLine(text, text.scan.nested, line);
  else if (opening) startFence(text, opening);
  else takeMarkdownLine(text, line);
}

function takeMarkdownLine(text: SplitText, line: string): void {
  const isLong = isTooLong(text, line);
  const { table, list } = text.scan;
  const items = isLong && list ? itemsAround(text.blocks.at(-1)?.source ?? '', line) : [];
  if (isLong || startsBlock(text, line)) closeBlock(text);
  const block = openBlock(text);
  if (isLong && !list && table) continueTable(text, block, table);
  if (items.length > 0) continueItems(text, block, items);
  noteKind(text, block, line);
  block.source += line;
  text.scan.blank = false;
}

function takeNestedLine(text: SplitText, nested: Opening, line: string): void {
  const block = openBlock(text);
  const isEnd = closes(line, nested.fence.trim());
  if (!isEnd && block.source.length >= OPEN_LIMIT) {
    continueNested(text, nested, line);
    return;
  }
  if (isEnd) text.scan.nested = undefined;
  text.scan.blank = false;
  block.source += line;
}

/** What is too long of a fence in a list becomes a fence of its own. */
function continueNested(text: SplitText, nested: Opening, line: string): void {
  startFence(text, nested);
  takeFencedLine(text, line);
}

function startFence(text: SplitText, opening: Opening): void {
  closeBlock(text);
  const { lineStart: start } = text;
  text.blocks.push({ kind: 'fence', info: opening.info, start, source: '', carried: 0, closed: false });
  text.scan.fence = opening.fence;
}

function continueTable(text: SplitText, block: Block, table: string): void {
  text.scan.table = table;
  block.source = table;
}

function continueItems(text: SplitText, block: Block, items: readonly string[]): void {
  text.scan.list = true;
  block.source = items.join('');
  block.carried = items.length;
}

function noteKind({ scan }: SplitText, block: Block, line: string): void {
  if (beginsItem(line)) scan.list = true;
  if (scan.list) scan.nested = nestedFence(line);
  else if (isTableDelimiter(line) && block.source !== '') scan.table = lastLine(block.source) + line;
}

function startsBlock({ scan }: SplitText, line: string): boolean {
  return scan.blank && !isIndented(line) && !(scan.list && (beginsItem(line) || line.startsWith('  ')));
}

function isTooLong(text: SplitText, line: string): boolean {
  const block = text.blocks.at(-1);
  const limit = text.scan.table || text.scan.list ? STRUCTURE_LIMIT : OPEN_LIMIT;
  if (block === undefined || block.closed || block.source.length < limit) return false;
  if (!text.scan.list) return !isIndented(line);
  return beginsTopLevelItem(line) || (block.source.length >= ITEM_LIMIT && canBeginWithin(text, line));
}

/** Within an item a new one, or a new paragraph. */
function canBeginWithin({ scan }: SplitText, line: string): boolean {
  return beginsAnyItem(line) || (scan.blank && line.startsWith('  '));
}

/** Takes what is longer than the limit off the front of `line`, as blocks of their own; gives back the rest. */
function cutLongLine(text: SplitText, line: string): string {
  let rest = line;
  while (rest.length > OPEN_LIMIT && !text.scan.nested && rest.trim() !== '') {
    const at = rest.lastIndexOf(' ', OPEN_LIMIT - 1) + 1 || wholeCharacters(rest, OPEN_LIMIT);
    takeTextLine(text, `${rest.slice(0, at)}\n`);
    if (!text.scan.fence) closeBlock(text);
    text.lineStart += at;
    rest = rest.slice(at);
  }
  return rest;
}

function openBlock(text: SplitText): Block {
  const last = text.blocks.at(-1);
  if (last !== undefined && !last.closed) return last;
  const block: Block = {
    kind: 'markdown',
    info: '',
    start: text.lineStart,
    source: '',
    carried: 0,
    closed: false,
  };
  text.blocks.push(block);
  return text.blocks.at(-1) ?? block;
}

function closeBlock(text: SplitText): void {
  const last = text.blocks.at(-1);
  if (last !== undefined) last.closed = true;
  text.scan = freshScan();
}

function freshScan(): Scan {
  return { fence: '', nested: undefined, list: false, table: '', blank: false };
}
