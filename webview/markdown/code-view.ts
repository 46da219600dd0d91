import { strings } from '../strings.ts';
import { fenceLanguage } from './render.ts';

/** A block of code that grows at its end. */
export interface CodeView {
  /** `source` begins with what is already shown. */
  update(source: string): void;
}

/** Lines share an element up to this many: laying out a growing block costs only its last element. */
const LINES_PER_ELEMENT = 50;

export function createCodeView(info: string): { figure: HTMLElement; view: CodeView } {
  const figure = element('figure', 'code');
  const pre = element('pre');
  const code = element('code');
  pre.dir = 'ltr';
  // What scrolls must be reachable by keyboard.
  pre.tabIndex = 0;
  pre.append(code);
  figure.append(caption(fenceLanguage(info)), pre);
  return { figure, view: growingCode(code) };
}

function caption(language: string): HTMLElement {
  const line = element('figcaption');
  const copy = element('button', 'copy');
  copy.setAttribute('type', 'button');
  copy.setAttribute('aria-label', strings.copyCode);
  copy.dataset.copy = '';
  copy.append(strings.copy);
  line.append(language, copy);
  return line;
}

function growingCode(code: HTMLElement): CodeView {
  let shown = 0;
  let lines = LINES_PER_ELEMENT;
  const add = (piece: string) => {
    if (lines >= LINES_PER_ELEMENT) {
      code.append(element('span', 'lines'));
      lines = 0;
    }
    code.lastElementChild?.append(piece);
    lines += piece.endsWith('\n') ? 1 : 0;
  };
  return {
    update(source) {
      for (const piece of wholeLines(source.slice(shown))) add(piece);
      shown = source.length;
    },
  };
}

function wholeLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function element(name: string, className = ''): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  return made;
}
