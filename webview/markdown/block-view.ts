// Draws a split text into an element. What is finished is drawn once, as long as it is near; only the open block is
// drawn again and again.
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

/** Characters from the end of the text beyond which a finished block is not drawn at once: nobody may be near. */
const FAR = 12_000;
/** An open block beyond the limit is drawn again only when it has grown by this share. */
const REDRAW_SHARE = 1 / 32;
/** A line that may define an address for links elsewhere. */
const definition = /^[ >]*\[[^\]\n]+\]:/m;

export interface Drawing {
  readonly container: HTMLElement;
  readonly viewport: NearViewport;
  /** Holds the open block; always the last element. */
  readonly tail: HTMLElement;
  readonly definitions: Definitions;
  readonly groups: Group[];
  /** Whether the last group is drawn. */
  isDrawn: boolean;
  /** Characters of the open block as it is drawn. */
  drawn: number;
  /** Number of blocks that are drawn for good. */
  finished: number;
  text: SplitText | undefined;
}

const drawings = new WeakMap<Element, Drawing>();

/** What shows a text in `container`, a `.blocks`. */
export function drawingIn(container: Element): Drawing | undefined {
  return drawings.get(container);
}

/**
 * Gives back what shows a text in `container`, which must be in the page; from call to call, the text may only grow.
 * `scroller` is what the reader scrolls.
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
 * Draws what stands at `offset` (characters) of the text that `container`, a `.blocks`, shows, and gives back the
 * element that holds it. It stays as long as it is near the viewport: scroll to it at once.
 */
export function revealOffset(container: HTMLElement, offset: number): HTMLElement {
  const drawing = drawings.get(container);
  const block = drawing?.text?.blocks.findLast(({ start }) => start <= offset);
  if (!drawing || !block) return container;
  const group = drawing.groups.find(({ blocks }) => blocks.includes(block));
  if (!group) return drawing.tail;
  drawing.viewport.draw(group.element);
  const before = drawing.text?.content.slice(block.start, offset).split('\n') ?? [];
  // The line that opens a fence is none of its code.
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

/** Links may be named long before it is said where they lead. */
function define({ definitions, groups, isDrawn }: Drawing, { source }: Block): void {
  if (!isDrawn) renderMarkdown(source, definitions);
  for (const group of groups) redrawReferences(group);
}

/** The group that holds `block` from now on. */
function groupWith(drawing: Drawing, block: Block, isDrawn: boolean): Group {
  const last = drawing.groups.at(-1);
  // A fence is in its group from when it was opened.
  if (last?.blocks.at(-1) === block) return last;
  const group = groupOf(drawing, isDrawn);
  addBlock(group, block);
  return group;
}

/** The group that takes the next block: the last one, if there is room and it is drawn as the block is to be. */
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
  // A definition that is still being written would otherwise stand for ever.
  const definitions = { references: { ...drawing.definitions.references } };
  drawing.tail.innerHTML = renderMarkdown(source, definitions, block);
  drawing.tail.classList.toggle('continued', block?.continues === true);
  drawing.drawn = source.length;
}
