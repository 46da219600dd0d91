// Draws a split text into an element. Draws a finished block once while it is near the viewport, and redraws
// only the open block.
import { type NearViewport, nearViewportOf } from '../ui/near-viewport.ts';
import {
  addBlock,
  codeOf,
  createGroup,
  drawBlock,
  type Group,
  hasRoom,
  redrawReferences,
  watchGroup,
} from './group.ts';
import { type Definitions, renderMarkdown } from './render.ts';
import { type Block, OPEN_LIMIT, type SplitText, visibleLine } from './split-text.ts';

/**
 * Characters. A finished block farther from the end of the text is not drawn immediately, because the reader
 * may not be near.
 */
const FAR = 12_000;
/** A block longer than the limit is redrawn only after it has grown by this share. */
const REDRAW_SHARE = 1 / 32;
/** A line that may define the address of links elsewhere in the text. */
const definition = /^[ >]*\[[^\]\n]+\]:/m;

export interface Drawing {
  readonly container: HTMLElement;
  readonly viewport: NearViewport;
  /** Contains the open block; always the last element. */
  readonly tail: HTMLElement;
  readonly definitions: Definitions;
  readonly groups: Group[];
  /** Whether the last group is drawn. */
  isDrawn: boolean;
  /** Characters of the open block as drawn. */
  drawn: number;
  /** The number of finished blocks in groups. */
  finished: number;
  text: SplitText | undefined;
}

const drawings = new WeakMap<Element, Drawing>();

/** The drawing in `container`, a `.blocks`. */
export function drawingIn(container: Element): Drawing | undefined {
  return drawings.get(container);
}

/**
 * Returns a function that shows a text in `container`, which must be in the page. From call to call, the text
 * may only grow. `scroller` is the element that the user scrolls.
 */
export function createBlockView(container: HTMLElement, scroller: HTMLElement): (text: SplitText) => void {
  const tail = container.appendChild(document.createElement('div'));
  tail.className = 'markdown open';
  const drawing: Drawing = {
    container,
    viewport: nearViewportOf(scroller),
    tail,
    definitions: {},
    groups: [],
    isDrawn: false,
    drawn: 0,
    finished: 0,
    text: undefined,
  };
  drawings.set(container, drawing);
  return (text) => draw(drawing, text);
}

/**
 * Draws the block at `offset` (characters) of the text in `container`, a `.blocks`, and returns its element.
 * The element stays only while it is near the viewport, so the caller must scroll to it immediately.
 */
export function revealOffset(container: HTMLElement, offset: number): HTMLElement {
  const drawing = drawings.get(container);
  const block = drawing?.text?.blocks.findLast(({ start }) => start <= offset);
  if (!drawing || !block) return container;
  const group = drawing.groups.find(({ blocks }) => blocks.includes(block));
  if (!group) return drawing.tail;
  drawing.viewport.draw(group.element);
  const before = drawing.text?.content.slice(block.start, offset).split('\n') ?? [];
  // The line that opens a fence is not part of its code.
  return group.codes.get(block)?.reveal(Math.max(0, before.length - 2)) ?? group.element;
}

function draw(drawing: Drawing, text: SplitText): void {
  drawing.text = text;
  for (let block = text.blocks[drawing.finished]; block?.closed; block = text.blocks[drawing.finished]) {
    finish(drawing, block, text.content.length - block.start > FAR);
    drawing.finished += 1;
  }
  const open = text.blocks[drawing.finished];
  if (open?.kind === 'fence') drawOpenFence(drawing, open, visibleLine(text));
  else drawTail(drawing, (open?.source ?? '') + text.line, open);
}

function finish(drawing: Drawing, block: Block, isFar: boolean): void {
  drawTail(drawing, '');
  const group = groupWith(drawing, block, !isFar);
  if (drawing.isDrawn) drawBlock(group, block);
  if (definition.test(block.source)) define(drawing, block);
}

function drawOpenFence(drawing: Drawing, block: Block, line: string): void {
  drawTail(drawing, '');
  const group = groupWith(drawing, block, true);
  codeOf(group, block).update(block.source + line);
}

/** A text may use a link long before it defines the link's address. */
function define({ definitions, groups, isDrawn }: Drawing, { source }: Block): void {
  if (!isDrawn) renderMarkdown(source, definitions);
  for (const group of groups) redrawReferences(group);
}

/** Adds `block` to a group and returns the group. */
function groupWith(drawing: Drawing, block: Block, isDrawn: boolean): Group {
  const last = drawing.groups.at(-1);
  // A fence joins its group when it opens.
  if (last?.blocks.at(-1) === block) return last;
  const group = groupOf(drawing, isDrawn);
  addBlock(group, block);
  return group;
}

/** The group for the next block: the last one, if it has room and is drawn like the block; else a new one. */
function groupOf(drawing: Drawing, isDrawn: boolean): Group {
  const last = drawing.groups.at(-1);
  if (last && hasRoom(last) && drawing.isDrawn === isDrawn) return last;
  if (last) watchGroup(last, drawing.isDrawn);
  const group = createGroup(drawing.definitions, drawing.viewport);
  drawing.isDrawn = isDrawn;
  drawing.groups.push(group);
  drawing.container.insertBefore(group.element, drawing.tail);
  return group;
}

function drawTail(drawing: Drawing, source: string, block?: Block): void {
  const grown = source.length - drawing.drawn;
  if (source.length > OPEN_LIMIT && grown > 0 && grown < source.length * REDRAW_SHARE) return;
  if (source === '' && drawing.drawn === 0) return;
  // Copies the definitions, because one that is still growing must not be stored.
  const definitions = { references: { ...drawing.definitions.references } };
  drawing.tail.innerHTML = renderMarkdown(source, definitions, block);
  drawing.tail.classList.toggle('continued', block?.continues === true);
  drawing.drawn = source.length;
}
