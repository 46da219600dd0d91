// Draws a code block in pieces of a few lines. Only pieces near the viewport are in the page, and a growing
// block lays out only its last piece again.
import { strings } from '../l10n/strings.ts';
import type { NearViewport } from '../ui/near-viewport.ts';
import { rememberSource } from './code-source.ts';
import { colorNow, colorSoon } from './color-code.ts';
import { fenceLanguage } from './render.ts';

export interface CodeView {
  readonly figure: HTMLElement;
  /** `source` must begin with the source shown before. */
  update(source: string): void;
  /** The source is complete, so it may be colored. */
  close(): void;
  /** Draws the piece with this line (from 0). */
  reveal(line: number): HTMLElement;
  /**
   * The last piece that begins at or above `top` (CSS px of the viewport), with the index of its first line.
   */
  pieceAt(top: number): { line: number; element: Element } | undefined;
}

const LINES_PER_PIECE = 50;
/** Lines before a piece that the colorer reads to know its state, such as an open comment. */
const LEAD_LINES = 2 * LINES_PER_PIECE;
/** Characters. A new piece farther from the end of the code is not drawn immediately. */
const FAR = 12_000;
const LINE_HEIGHT = 18;
/**
 * Characters. A longer piece has very long lines, so it is laid out again only after it has grown by this
 * share.
 */
const LONG_PIECE = 8_000;
const REDRAW_SHARE = 1 / 32;

interface Code {
  readonly element: HTMLElement;
  readonly language: string;
  readonly viewport: NearViewport;
  /** Complete lines, except for the last one, which may still grow. */
  readonly lines: string[];
  readonly pieces: HTMLElement[];
  /** The text node of the last piece if it is drawn, and the text that it does not show yet. */
  growing: Text | undefined;
  waiting: string;
  length: number;
  isClosed: boolean;
}

export function createCodeView(info: string, viewport: NearViewport): CodeView {
  const language = fenceLanguage(info);
  const element = create('code');
  const code: Code = {
    element,
    language,
    viewport,
    lines: [],
    pieces: [],
    growing: undefined,
    waiting: '',
    length: 0,
    isClosed: false,
  };
  const figure = figureOf(language, element);
  rememberSource(figure, () => code.lines.join(''));
  return {
    figure,
    update: (source) => grow(code, source),
    close: () => close(code),
    reveal: (line) => reveal(code, line),
    pieceAt: (top) => pieceAt(code, top),
  };
}

function grow(code: Code, source: string): void {
  for (const line of wholeLines(source.slice(code.length))) {
    code.length += line.length;
    addLine(code, line, source.length - code.length > FAR);
  }
  const shown = code.growing?.length ?? 0;
  if (shown < LONG_PIECE || code.waiting.length > shown * REDRAW_SHARE) showWaiting(code);
}

function showWaiting(code: Code): void {
  if (code.waiting !== '') code.growing?.appendData(code.waiting);
  code.waiting = '';
}

function addLine(code: Code, line: string, isFar: boolean): void {
  if (code.lines.at(-1)?.endsWith('\n') === false) {
    code.lines.push(`${code.lines.pop()}${line}`);
  } else {
    if (code.lines.length % LINES_PER_PIECE === 0) beginPiece(code, isFar);
    code.lines.push(line);
  }
  code.waiting += line;
}

function beginPiece(code: Code, isFar: boolean): void {
  const index = code.pieces.length;
  showWaiting(code);
  if (index > 0) watchPiece(code, index - 1);
  const element = create('span', 'lines');
  code.growing = isFar ? undefined : document.createTextNode('');
  if (code.growing) element.append(code.growing);
  code.pieces.push(element);
  code.element.append(element);
}

function watchPiece(code: Code, index: number): void {
  const element = code.pieces[index];
  if (element === undefined) return;
  const piece = {
    element,
    estimate: LINES_PER_PIECE * LINE_HEIGHT,
    isReachable: false,
    draw: () => drawPiece(code, index),
  };
  code.viewport.watch(piece, element.hasChildNodes());
}

function drawPiece(code: Code, index: number): void {
  code.pieces[index]?.append(linesOf(code, index).join(''));
  if (code.isClosed) colorPiece(code, index);
}

function close(code: Code): void {
  showWaiting(code);
  code.isClosed = true;
  code.pieces.forEach((piece, index) => {
    if (piece.hasChildNodes()) colorPiece(code, index);
  });
}

function colorPiece(code: Code, index: number): void {
  const element = code.pieces[index];
  const start = index * LINES_PER_PIECE;
  const lead = code.lines.slice(Math.max(0, start - LEAD_LINES), start);
  if (element) colorSoon(element, code.language, lead, linesOf(code, index));
}

function linesOf({ lines }: Code, index: number): string[] {
  return lines.slice(index * LINES_PER_PIECE, (index + 1) * LINES_PER_PIECE);
}

function reveal({ pieces, viewport, element }: Code, line: number): HTMLElement {
  const piece = pieces[Math.min(Math.floor(line / LINES_PER_PIECE), pieces.length - 1)];
  if (piece === undefined) return element;
  viewport.draw(piece);
  colorNow(piece);
  return piece;
}

function pieceAt({ pieces }: Code, top: number): { line: number; element: Element } | undefined {
  const index = pieces.findLastIndex((piece) => piece.getBoundingClientRect().top <= top);
  const element = pieces[index];
  return element && { line: index * LINES_PER_PIECE, element };
}

function figureOf(language: string, code: HTMLElement): HTMLElement {
  const figure = create('figure', 'code');
  const pre = create('pre');
  pre.dir = 'ltr';
  // The keyboard must be able to reach everything that scrolls.
  pre.tabIndex = 0;
  pre.append(code);
  figure.append(caption(language), pre);
  return figure;
}

function caption(language: string): HTMLElement {
  const line = create('figcaption');
  const copy = create('button', 'copy');
  copy.setAttribute('type', 'button');
  copy.setAttribute('aria-label', strings.copyCode);
  copy.dataset.copy = '';
  copy.append(strings.copy);
  line.append(language, copy);
  return line;
}

function wholeLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function create(name: string, className = ''): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  return made;
}
