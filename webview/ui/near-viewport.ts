// Keeps only elements near the viewport in the page. A distant one becomes an empty element of the same
// height.

/** Part of a long text or of many rows. Its element is empty, or contains what `draw` added. */
interface Piece {
  readonly element: HTMLElement;
  /** Fills the empty element. */
  draw(): void;
  /** Empties the element, if the owner must do that. */
  clear?(): void;
  /** CSS px until the height is measured. */
  readonly estimate: number;
  /** Whether it contains something focusable. */
  readonly isReachable: boolean;
}

export interface NearViewport {
  /**
   * Draws `piece` near the viewport and empties it far from it, starting now. `isDrawn` is its current state.
   */
  watch(piece: Piece, isDrawn: boolean): void;
  /** Draws the piece of `element` at any distance. It stays until the next check finds it distant. */
  draw(element: HTMLElement): void;
  /** Draws the target of the next focus step from `from`, if that is in an undrawn piece. */
  drawNextStop(from: Element, isBackwards: boolean): void;
}

/** The focusable elements in a text. */
const STOP = 'a[tabindex], button, [tabindex="0"]';
/** On each side of the viewport, the same in a high panel as in a low one. */
const MARGIN = '640px';
const UNDRAWN = 'data-undrawn';

const known = new WeakMap<Element, NearViewport>();

/** One instance for all pieces in `scroller`. */
export function nearViewportOf(scroller: HTMLElement): NearViewport {
  const viewport = known.get(scroller) ?? createNearViewport(scroller);
  known.set(scroller, viewport);
  return viewport;
}

function createNearViewport(scroller: HTMLElement): NearViewport {
  const pieces = new WeakMap<Element, Piece>();
  /** Distant pieces with a selection or the focus, which would be lost if the piece were emptied. */
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

  /** Whether the focus can go there now. */
  const isStop = (element: HTMLElement) => {
    if (!element.hasAttribute(UNDRAWN)) return element.checkVisibility();
    if (!pieces.get(element)?.isReachable) return false;
    drawAnyway(element);
    return element.querySelector(STOP) !== null;
  };

  document.addEventListener('selectionchange', release);
  scroller.addEventListener('focusin', release);
  // A copy contains only what is in the page.
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

/** Whether the selection includes a part of `element`. */
export function isSelected(element: Node): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}

/** A drawn piece may contain undrawn ones, so a second pass follows. */
function* selectedUndrawn(scroller: HTMLElement): Generator<HTMLElement> {
  for (let depth = 0; depth < 2; depth += 1) {
    for (const element of scroller.querySelectorAll<HTMLElement>(`[${UNDRAWN}]`)) {
      if (isSelected(element)) yield element;
    }
  }
}
