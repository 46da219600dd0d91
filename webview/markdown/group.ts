// Groups of finished blocks, which are drawn and emptied together. Only this file and color-code.ts insert
// HTML, and only the HTML of `renderMarkdown` and `color`.
import type { NearViewport } from '../ui/near-viewport.ts';
import { type CodeView, createCodeView } from './code-view.ts';
import { colorSoon } from './color-code.ts';
import { type Definitions, renderMarkdown } from './render.ts';
import type { Block } from './split-text.ts';

export interface Group {
  readonly element: HTMLElement;
  readonly blocks: Block[];
  readonly definitions: Definitions;
  readonly viewport: NearViewport;
  /** The views of the drawn fences. */
  readonly codes: Map<Block, CodeView>;
  /** The first element of each drawn block. */
  readonly beginnings: Map<Block, Element>;
}

/** CSS px per line, and characters per line, of text in a side bar. */
const LINE_HEIGHT = 20;
const LINE_LENGTH = 45;
const reference = /\[[^\]\n]+\](?!\()/;
/** CSS px. */
const FULL = 800;

export function createGroup(definitions: Definitions, viewport: NearViewport): Group {
  const element = document.createElement('div');
  element.className = 'markdown';
  return { element, blocks: [], definitions, viewport, codes: new Map(), beginnings: new Map() };
}

/** Whether the group takes more blocks. A full group fills a good part of a screen. */
export function hasRoom(group: Group): boolean {
  return estimate(group) < FULL;
}

export function addBlock({ element, blocks }: Group, block: Block): void {
  if (blocks.length === 0) element.classList.toggle('continued', block.continues);
  blocks.push(block);
}

export function drawBlock(group: Group, block: Block): void {
  if (block.kind === 'fence') drawFence(group, block);
  else drawMarkdown(group, block);
}

/** Call when the group is complete. After this, the page contains it only near the viewport. */
export function watchGroup(group: Group, isDrawn: boolean): void {
  const piece = {
    element: group.element,
    estimate: estimate(group),
    isReachable: group.blocks.some(mayHoldFocus),
    draw: () => drawGroup(group),
  };
  group.viewport.watch(piece, isDrawn);
}

/** Redraws the group if it names a link by reference, because a definition has arrived. */
export function redrawReferences(group: Group): void {
  const isDrawn = group.element.hasChildNodes();
  if (!isDrawn || !group.blocks.some(({ kind, source }) => kind === 'markdown' && reference.test(source)))
    return;
  group.element.replaceChildren();
  drawGroup(group);
}

function drawGroup(group: Group): void {
  group.codes.clear();
  group.beginnings.clear();
  for (const block of group.blocks) drawBlock(group, block);
}

export function codeOf(group: Group, block: Block): CodeView {
  const view = group.codes.get(block) ?? createCodeView(block.info, group.viewport);
  if (!group.codes.has(block)) placeAround(group, block).append(view.figure);
  group.codes.set(block, view);
  group.beginnings.set(block, view.figure);
  return view;
}

/** Draws the quote or item that contains the block again. */
function placeAround({ element }: Group, { frame }: Block): Element {
  if (frame.around === '') return element;
  element.insertAdjacentHTML('beforeend', renderMarkdown(frame.around, {}, { frame, table: undefined }));
  let place: Element = element;
  for (let inner = element.lastElementChild; inner; inner = inner.lastElementChild) place = inner;
  return place;
}

function drawFence(group: Group, block: Block): void {
  const code = codeOf(group, block);
  code.update(block.source);
  if (block.closed) code.close();
}

function drawMarkdown({ element, definitions, beginnings }: Group, block: Block): void {
  const last = element.lastElementChild;
  element.insertAdjacentHTML('beforeend', renderMarkdown(block.source, definitions, block));
  const added = last === null ? element.firstElementChild : last.nextElementSibling;
  if (added) beginnings.set(block, added);
  for (let drawn = added; drawn !== null; drawn = drawn.nextElementSibling) colorFences(drawn);
}

/** Colors the fences in lists and quotes, which have no code view. */
function colorFences(drawn: Element): void {
  for (const code of drawn.querySelectorAll<HTMLElement>('code[data-language]')) {
    colorSoon(code, code.dataset.language ?? '', [], [code.textContent]);
  }
}

/** Code scrolls and can be copied. Links, tables, and code in a list begin with one of these characters. */
function mayHoldFocus({ kind, source }: Block): boolean {
  return kind === 'fence' || /[[|`~]|:\/\/|\n {4}|\t/.test(source);
}

function estimate({ blocks }: Group): number {
  return blocks.reduce((height, block) => height + estimateBlock(block), 0);
}

function estimateBlock({ kind, source }: Block): number {
  const lines = source.split('\n').length;
  return LINE_HEIGHT * (kind === 'fence' ? lines + 1 : Math.max(lines, source.length / LINE_LENGTH));
}
