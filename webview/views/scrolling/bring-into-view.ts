/** CSS px between what is brought into view and the edge of what scrolls; less where that is small. */
const MARGIN = 80;

/** Scrolls whatever scrolls around `place`, up to `outermost`, so that it can be seen. What is in sight stays there. */
export function bringIntoView(place: AbstractRange | Element, outermost: Element): void {
  const target = place instanceof Element ? place : rangeOf(place);
  const inner = place instanceof Element ? place : place.startContainer.parentElement;
  const sticky = inner?.closest<HTMLElement>('.sticky');
  // What stays in sight does not tell where it belongs.
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

/** How far to scroll from `start` and `end` into the middle of a view; 0 where they are well within it. */
function shift(start: number, end: number, viewStart: number, viewEnd: number): number {
  const margin = Math.min(MARGIN, (viewEnd - viewStart) / 4);
  if (start >= viewStart + margin && end <= viewEnd - margin) return 0;
  return (start + end) / 2 - (viewStart + viewEnd) / 2;
}
