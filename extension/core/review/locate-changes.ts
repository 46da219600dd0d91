// Which pending lines are meant by a place in an editor.
import type { FileReview, Hunk, PendingCell } from './file-review.ts';

/** Lines `first` to `last` (from 0) of what is there (`+`), or of what is accepted (`-`). */
export interface Place {
  readonly side: '+' | '-';
  readonly first: number;
  readonly last: number;
}

/** The hunks there. One that has removed lines only is where they were. */
export function hunksAt({ hunks }: Pick<FileReview, 'hunks'>, { side, first, last }: Place): Hunk[] {
  return hunks.filter((hunk) => {
    const from = side === '+' ? hunk.nowLine : hunk.baseLine;
    const count = side === '+' ? hunk.added : hunk.removed;
    return count > 0 ? from <= last && from + count > first : from - 1 <= last && from >= first;
  });
}

/** The pending lines there, with those in whose place they stand. */
export function linesAt(review: Pick<FileReview, 'hunks'>, place: Place): PendingCell[] {
  return hunksAt(review, place).flatMap(({ cells }) => chosenIn(cells, place));
}

/** The first line that was added stands for the first one that was removed, and so on; all of one side for the whole hunk. */
function chosenIn(cells: readonly PendingCell[], { side, first, last }: Place): readonly PendingCell[] {
  const here = cells.filter(({ sign }) => sign === side);
  const others = cells.filter(({ sign }) => sign !== side);
  const isChosen = ({ index }: PendingCell) => index >= first && index <= last;
  if (here.every(isChosen)) return cells;
  return here.flatMap((cell, place) => (isChosen(cell) ? [cell, ...others.slice(place, place + 1)] : []));
}
