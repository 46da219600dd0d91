// Finds the pending lines at a place in an editor.
import type { FileReview, Hunk, PendingCell } from './file-review.ts';

/** Lines `first` to `last` (from 0, inclusive) of the current text (`+`) or of the accepted text (`-`). */
export interface EditorPlace {
  readonly side: '+' | '-';
  readonly first: number;
  readonly last: number;
}

/** The hunks at a place. A hunk without lines on that side is found at the two lines around it. */
export function hunksAt({ hunks }: Pick<FileReview, 'hunks'>, { side, first, last }: EditorPlace): Hunk[] {
  return hunks.filter((hunk) => {
    const from = side === '+' ? hunk.nowLine : hunk.baseLine;
    const count = side === '+' ? hunk.added : hunk.removed;
    return count > 0 ? from <= last && from + count > first : from - 1 <= last && from >= first;
  });
}

/** The pending lines at a place, with the lines of the other side that they replace or that replace them. */
export function linesAt(review: Pick<FileReview, 'hunks'>, place: EditorPlace): PendingCell[] {
  return hunksAt(review, place).flatMap(({ cells }) => chosenIn(cells, place));
}

/** The first added line replaces the first removed one, and so on. All lines of a side mean the hunk. */
function chosenIn(cells: readonly PendingCell[], { side, first, last }: EditorPlace): readonly PendingCell[] {
  const here = cells.filter(({ sign }) => sign === side);
  const others = cells.filter(({ sign }) => sign !== side);
  const isChosen = ({ index }: PendingCell) => index >= first && index <= last;
  if (here.every(isChosen)) return cells;
  return here.flatMap((cell, place) => (isChosen(cell) ? [cell, ...others.slice(place, place + 1)] : []));
}
