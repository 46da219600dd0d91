// Cuts a growing markdown text at its closed top-level blocks, so that a finished block is rendered once and only the
// open one again. Not cutting is always right, cutting too early is not: every rule here is on the careful side.
// Where it cuts depends on the text alone, never on how it arrived.

/** `source` of a fence is its code; of markdown, the text as written. Only the last block may be open. */
export interface Block {
  readonly kind: 'markdown' | 'fence';
  /** What follows the opening fence: `ts`, `diff title="a"`. */
  readonly info: string;
  source: string;
  closed: boolean;
}

export interface SplitText {
  /** All that has arrived. */
  content: string;
  blocks: Block[];
  /** The last line, as long as its end has not arrived. */
  line: string;
  scan: Scan;
}

interface Scan {
  /** The marker of the open top-level fence, with its indentation; empty outside. */
  fence: string;
  /** The marker of a fence inside a list item; empty outside. */
  nested: string;
  list: boolean;
  /** Head and delimiter line of the open table; empty outside. */
  table: string;
  blank: boolean;
}

/** An open block is cut at the next good place once it is this long (characters): what is rendered again stays small. */
export const OPEN_LIMIT = 4_000;

const fenceLine = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n?$/;
const nestedFenceLine = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/;
const listMarker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/m;
const topLevelItem = /^ ?(?:[-*+]|\d{1,9}[.)])[ \t]/;
const tableDelimiter = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*\|[-:| \t]*\n?$/;
const indented = /^(?: {4}|\t| {1,3}\t)/;

export function emptyText(): SplitText {
  return { content: '', blocks: [], line: '', scan: freshScan() };
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
    takeLine(text, rest.slice(0, end + 1));
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
  if (closes(line, fence.trim()) && !indented.test(line)) closeBlock(text);
  else openBlock(text).source += withoutIndent(line, fence.length - fence.trimStart().length);
}

function takeBlankLine(text: SplitText, line: string): void {
  const block = text.blocks.at(-1);
  if (block === undefined || block.closed) return;
  block.source += line;
  text.scan.blank = true;
}

function takeTextLine(text: SplitText, line: string): void {
  const opening = openingFence(line, text.scan.list);
  if (text.scan.nested) takeNestedLine(text, line);
  else if (opening) startFence(text, opening);
  else takeMarkdownLine(text, line);
}

function takeMarkdownLine(text: SplitText, line: string): void {
  const isLong = isTooLong(text, line);
  const carried = isLong && !text.scan.list ? text.scan.table : '';
  if (isLong || startsBlock(text, line)) closeBlock(text);
  const block = openBlock(text);
  if (carried) continueTable(text, block, carried);
  noteKind(text, block, line);
  block.source += line;
  text.scan.blank = false;
}

function takeNestedLine(text: SplitText, line: string): void {
  if (closes(line, text.scan.nested)) text.scan.nested = '';
  text.scan.blank = false;
  openBlock(text).source += line;
}

function startFence(text: SplitText, opening: { fence: string; info: string }): void {
  closeBlock(text);
  text.blocks.push({ kind: 'fence', info: opening.info, source: '', closed: false });
  text.scan.fence = opening.fence;
}

function continueTable(text: SplitText, block: Block, table: string): void {
  text.scan.table = table;
  block.source = table;
}

function noteKind({ scan }: SplitText, block: Block, line: string): void {
  if (listMarker.test(line)) scan.list = true;
  if (scan.list) scan.nested = nestedFenceLine.exec(line)?.[1] ?? '';
  else if (tableDelimiter.test(line) && block.source !== '') scan.table = lastLine(block.source) + line;
}

function openingFence(line: string, inList: boolean): { fence: string; info: string } | undefined {
  const [, indent, marker, info] = fenceLine.exec(line) ?? [];
  if (indent === undefined || marker === undefined || info === undefined) return undefined;
  if (marker.startsWith('`') && info.includes('`')) return undefined;
  return inList && indent.length >= 2 ? undefined : { fence: indent + marker, info: info.trim() };
}

function startsBlock({ scan }: SplitText, line: string): boolean {
  return (
    scan.blank && !indented.test(line) && !(scan.list && (listMarker.test(line) || line.startsWith('  ')))
  );
}

function isTooLong(text: SplitText, line: string): boolean {
  const block = text.blocks.at(-1);
  if (block === undefined || block.closed || block.source.length < OPEN_LIMIT) return false;
  return text.scan.list ? topLevelItem.test(line) : !indented.test(line);
}

/** Takes what is longer than the limit off the front of `line`, as blocks of their own; gives back the rest. */
function cutLongLine(text: SplitText, line: string): string {
  let rest = line;
  while (rest.length > OPEN_LIMIT && !text.scan.nested && rest.trim() !== '') {
    const at = rest.lastIndexOf(' ', OPEN_LIMIT - 1) + 1 || wholeCharacters(rest, OPEN_LIMIT);
    takeTextLine(text, `${rest.slice(0, at)}\n`);
    if (!text.scan.fence) closeBlock(text);
    rest = rest.slice(at);
  }
  return rest;
}

function wholeCharacters(line: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(line.charAt(end - 1)) ? end - 1 : end;
}

function openBlock(text: SplitText): Block {
  const last = text.blocks.at(-1);
  if (last !== undefined && !last.closed) return last;
  const block: Block = { kind: 'markdown', info: '', source: '', closed: false };
  text.blocks.push(block);
  return text.blocks.at(-1) ?? block;
}

function closeBlock(text: SplitText): void {
  const last = text.blocks.at(-1);
  if (last !== undefined) last.closed = true;
  text.scan = freshScan();
}

function freshScan(): Scan {
  return { fence: '', nested: '', list: false, table: '', blank: false };
}

function closes(line: string, marker: string): boolean {
  const text = line.trim();
  return text.startsWith(marker) && text === text.charAt(0).repeat(text.length);
}

function withoutIndent(line: string, width: number): string {
  return width === 0 ? line : line.slice(Math.min(width, line.length - line.trimStart().length));
}

function lastLine(source: string): string {
  return source.slice(source.lastIndexOf('\n', source.length - 2) + 1);
}
