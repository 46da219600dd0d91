// Keeps in the page only what is near the viewport: what is far is an empty element of the same height.

/** Part of a long text or of many rows. Its element is empty, or holds what `draw` has put into it. */
interface Piece {
  readonly element: HTMLElement;
  /** Fills the empty element. */
  draw(): void;
  /** Empties the element, where whoever draws must do that. */
  clear?(): void;
  /** CSS px for as long as nobody knows better. */
  readonly estimate: number;
  /** Something in it may take the focus. */
  readonly isReachable: boolean;
}

export interface NearViewport {
  /** From now on `piece` is drawn near the viewport and emptied far from it. `isDrawn` says what it is now. */
  watch(piece: Piece, isDrawn: boolean): void;
  /** Draws the piece that `element` is, wherever it is. It stays until it is next found to be far. */
  draw(element: HTMLElement): void;
  /** Draws what the next step of the focus from `from` leads to, where that is in no drawn piece. */
  drawNextStop(from: Element, isBackwards: boolean): void;
}

/** What takes the focus in a text. */
const STOP = 'a[tabindex], button, [tabindex="0"]';
/** On each side of the viewport: as much in a high panel as in a low one. */
const MARGIN = '640px';
const UNDRAWN = 'data-undrawn';

const known = new WeakMap<Element, NearViewport>();

/** One for all in `scroller`. */
export function nearViewportOf(scroller: HTMLElement): NearViewport {
  const viewport = known.get(scroller) ?? createNearViewport(scroller);
  known.set(scroller, viewport);
  return viewport;
}

function createNearViewport(scroller: HTMLElement): NearViewport {
  const pieces = new WeakMap<Element, Piece>();
  /** Far, but selected or with the focus in it: what is taken out of the page now would be lost. */
  const held = new Set<HTMLElement>();

  const draw = ({ element, draw: fill }: Piece) => {
    if (!element.hasAttribute(UNDRAWN)) return;
    element.removeAttribute(UNDRAWN);
    element.style.height = '';
    fill();
  };
  const empty = (piece: Piece, height: number) => {
    if (piece.element.hasAttribute(UNDRAWN)) return;
    if (isHeld(piece.element)) return held.add(piece.element);
    reserve(piece.element, height || piece.estimate);
    return piece.clear ? piece.clear() : piece.element.replaceChildren();
  };
  const place = ({ target, isIntersecting, boundingClientRect }: IntersectionObserverEntry) => {
    const piece = pieces.get(target);
    if (!target.isConnected) observer.unobserve(target);
    else if (piece && isIntersecting) draw(piece);
    else if (piece) empty(piece, boundingClientRect.height);
  };
  const observer = new IntersectionObserver((entries) => entries.forEach(place), {
    root: scroller,
    rootMargin: `${MARGIN} 0px`,
  });
  const lookAgain = (element: Element) => {
    observer.unobserve(element);
    observer.observe(element);
  };
  const release = () => {
    for (const element of held) lookAgain(element);
    held.clear();
  };
  const drawSelected = () => {
    for (const element of selectedUndrawn(scroller)) drawAnyway(element);
  };
  const drawAnyway = (element: HTMLElement) => {
    const piece = pieces.get(element);
    if (!piece) return;
    draw(piece);
    lookAgain(element);
  };

  /** Whether the focus can go there, now. */
  const isStop = (element: HTMLElement) => {
    if (!element.hasAttribute(UNDRAWN)) return element.checkVisibility();
    if (!pieces.get(element)?.isReachable) return false;
    drawAnyway(element);
    return element.querySelector(STOP) !== null;
  };

  document.addEventListener('selectionchange', release);
  scroller.addEventListener('focusin', release);
  // A copy is made of what is in the page.
  document.addEventListener('copy', drawSelected, { capture: true });
  return {
    watch(piece, isDrawn) {
      pieces.set(piece.element, piece);
      if (!isDrawn) reserve(piece.element, piece.estimate);
      observer.observe(piece.element);
    },
    draw: drawAnyway,
    drawNextStop(from, isBackwards) {
      const all = [...scroller.querySelectorAll<HTMLElement>(`[${UNDRAWN}], ${STOP}`)];
      const side = isBackwards ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
      const ahead = all.filter((element) => (from.compareDocumentPosition(element) & side) !== 0);
      if (isBackwards) ahead.reverse();
      ahead.find(isStop);
    },
  };
}

function reserve(element: HTMLElement, height: number): void {
  element.setAttribute(UNDRAWN, '');
  element.style.height = `${height}px`;
}

function isHeld(element: HTMLElement): boolean {
  return isSelected(element) || element.contains(document.activeElement);
}

/** Whether some of `element` is selected. */
export function isSelected(element: Node): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}

/** What is drawn may have undrawn pieces in it, which then follow. */
function* selectedUndrawn(scroller: HTMLElement): Generator<HTMLElement> {
  for (let depth = 0; depth < 2; depth += 1) {
    for (const element of scroller.querySelectorAll<HTMLElement>(`[${UNDRAWN}]`)) {
      if (isSelected(element)) yield element;
    }
  }
}
