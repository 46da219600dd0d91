// Draws a split text into an element. What is finished is drawn once; only the open block is drawn again.
// This is the only file that inserts HTML, and only that of `renderMarkdown`.
import { skipWhenKnown } from '../ui/skip-when-known.ts';
import { type CodeView, createCodeView } from './code-view.ts';
import { type Definitions, renderMarkdown } from './render.ts';
import { type Block, OPEN_LIMIT, type SplitText, visibleLine } from './split-text.ts';

/** Finished blocks share an element up to this many characters, so that there are few elements. */
const GROUP_SIZE = 4_000;
/** An open block beyond the limit is drawn again only when it has grown by this share. */
const REDRAW_SHARE = 1 / 32;

interface Drawing {
  readonly container: HTMLElement;
  /** Holds the open block; always the last element. */
  readonly tail: HTMLElement;
  readonly definitions: Definitions;
  /** Characters of the open block as it is drawn. */
  drawn: number;
  /** Number of blocks that are drawn for good. */
  finished: number;
  /** Where the next finished block goes, and the characters that it holds. */
  group: HTMLElement | undefined;
  groupSize: number;
  code: CodeView | undefined;
}

/** Gives back what shows a text in `container`; from call to call, the text may only grow. */
export function createBlockView(container: HTMLElement): (text: SplitText) => void {
  const tail = container.appendChild(document.createElement('div'));
  tail.className = 'markdown open';
  const drawing: Drawing = {
    container,
    tail,
    definitions: {},
    drawn: 0,
    finished: 0,
    group: undefined,
    groupSize: 0,
    code: undefined,
  };
  return (text) => draw(drawing, text);
}

function draw(drawing: Drawing, text: SplitText): void {
  for (let block = text.blocks[drawing.finished]; block?.closed; block = text.blocks[drawing.finished]) {
    finish(drawing, block);
    drawing.finished += 1;
  }
  const open = text.blocks[drawing.finished];
  if (open?.kind === 'fence') codeOf(drawing, open).update(open.source + visibleLine(text));
  else drawTail(drawing, (open?.source ?? '') + text.line);
}

function finish(drawing: Drawing, block: Block): void {
  drawTail(drawing, '');
  if (block.kind === 'fence') codeOf(drawing, block).update(block.source);
  else groupOf(drawing).insertAdjacentHTML('beforeend', renderMarkdown(block.source, drawing.definitions));
  drawing.code = undefined;
  drawing.groupSize += block.source.length;
}

function codeOf(drawing: Drawing, block: Block): CodeView {
  if (drawing.code !== undefined) return drawing.code;
  const { figure, view } = createCodeView(block.info);
  groupOf(drawing).append(figure);
  drawing.code = view;
  return view;
}

function groupOf(drawing: Drawing): HTMLElement {
  if (drawing.group !== undefined && drawing.groupSize < GROUP_SIZE) return drawing.group;
  if (drawing.group !== undefined) skipWhenKnown(drawing.group);
  drawing.group = document.createElement('div');
  drawing.group.className = 'markdown';
  drawing.groupSize = 0;
  drawing.container.insertBefore(drawing.group, drawing.tail);
  return drawing.group;
}

function drawTail(drawing: Drawing, source: string): void {
  const grown = source.length - drawing.drawn;
  if (source.length > OPEN_LIMIT && grown > 0 && grown < source.length * REDRAW_SHARE) return;
  if (source === '' && drawing.drawn === 0) return;
  // A definition that is still being written would otherwise stand for ever.
  const definitions = { references: { ...drawing.definitions.references } };
  drawing.tail.innerHTML = renderMarkdown(source, definitions);
  drawing.drawn = source.length;
}
