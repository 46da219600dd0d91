/** CSS px between the target and the edge of its scroller; less in a small scroller. */
const MARGIN = 80;

/**
 * Scrolls all scrollers around `place`, up to `outermost`, to make it visible. A visible place stays where it
 * is.
 */
export function bringIntoView(place: AbstractRange | Element, outermost: Element): void {
  const target = place instanceof Element ? place : rangeOf(place);
  const inner = place instanceof Element ? place : place.startContainer.parentElement;
  const sticky = inner?.closest<HTMLElement>('.sticky');
  // The position of a sticky element does not show its place in the text.
  sticky?.style.setProperty('position', 'static');
  for (let box = inner; box; box = box === outermost ? null : box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const view = box.getBoundingClientRect();
    const seen = target.getBoundingClientRect();
    if (overflowY === 'auto') box.scrollTop += shift(seen.top, seen.bottom, view.top, view.bottom);
    if (overflowX === 'auto') box.scrollLeft += shift(seen.left, seen.right, view.left, view.right);
  }
  sticky?.style.removeProperty('position');
}

function rangeOf({ startContainer, startOffset, endContainer, endOffset }: AbstractRange): Range {
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  return range;
}

/** The distance to scroll so that `start` to `end` is in the middle of the view; 0 if it is well inside. */
function shift(start: number, end: number, viewStart: number, viewEnd: number): number {
  const margin = Math.min(MARGIN, (viewEnd - viewStart) / 4);
  if (start >= viewStart + margin && end <= viewEnd - margin) return 0;
  return (start + end) / 2 - (viewStart + viewEnd) / 2;
}
