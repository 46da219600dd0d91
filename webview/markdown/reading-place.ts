// Stores a reading position in a long text as a text offset, because the heights of distant parts are
// unknown.

import { type Drawing, drawingIn, revealOffset } from './block-view.ts';
import type { Group } from './group.ts';
import type { Block } from './split-text.ts';
import type { TextPlace } from './text-place.ts';

/** The position at `top` (CSS px of the viewport) in the text of `container`, a `.blocks`. */
export function placeAt(container: Element, top: number): TextPlace | undefined {
  const drawing = drawingIn(container);
  if (!drawing) return undefined;
  if (isAbove(drawing.tail, top) && drawing.drawn > 0) return placeInTail(drawing, top);
  const group = drawing.groups.findLast(({ element }) => isAbove(element, top));
  const begun = group && [...group.beginnings].findLast(([, element]) => isAbove(element, top));
  return begun && placeInBlock(drawing, group, begun, top);
}

/** Draws a position and returns the element whose top must be `place.offset` above it. */
export function revealPlace(container: HTMLElement, { at }: TextPlace): Element {
  const piece = revealOffset(container, at);
  const block = drawingIn(container)?.text?.blocks.findLast(({ start }) => start <= at);
  const group = drawingIn(container)?.groups.find(({ element }) => element === piece);
  return (block && group?.beginnings.get(block)) ?? piece;
}

function placeInTail({ text, finished, tail }: Drawing, top: number): TextPlace | undefined {
  const at = text?.blocks[finished]?.start ?? text?.lineStart;
  return at === undefined ? undefined : { at, offset: top - topOf(tail) };
}

function placeInBlock(
  { text }: Drawing,
  group: Group,
  [block, element]: [Block, Element],
  top: number,
): TextPlace {
  const piece = group.codes.get(block)?.pieceAt(top);
  if (!piece || !text) return { at: block.start, offset: top - topOf(element) };
  return {
    at: startOfLine(text.content, block.start, piece.line + 1),
    offset: top - topOf(piece.element),
  };
}

/** The start of the line that is `count` lines below the one at `start`. */
function startOfLine(content: string, start: number, count: number): number {
  let at = start;
  for (let line = 0; line < count; line += 1) at = content.indexOf('\n', at) + 1;
  return at;
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top;
}

function isAbove(element: Element, top: number): boolean {
  return topOf(element) <= top;
}
