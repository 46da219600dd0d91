// Applies the user's edit next to the agent's changes, to the accepted and the current text alike.
import {
  alignParts,
  type Cell,
  cellsOf,
  fromCells,
  type Line,
  newLines,
  type ReviewedText,
} from './reviewed-text.ts';
import type { TextContent } from './text-content.ts';

/** Both sides after the user's edit. `before` is the text before it, `content` the text after it. */
export function applyUserEdit(
  text: ReviewedText,
  { before, content, origin }: { before: TextContent | undefined; content: TextContent; origin: string },
): ReviewedText {
  const cells = cellsOf(text);
  const done: Cell[] = [];
  let from = 0;
  for (const [index, { kept, removed, added }] of editsOf(
    alignParts({ lines: text.now, content: before }, content),
  ).entries()) {
    const start = behindPresent(cells, from, kept);
    push(done, cells.slice(from, start));
    from = start;
    if (removed === 0 && added.length === 0) continue;
    from = behindRemoved(cells, behindPresent(cells, start, removed));
    const lines = newLines(added, 'you', `${origin}.${index}`);
    push(done, written(cells.slice(start, from), lines, cells[from]));
  }
  push(done, cells.slice(from));
  return fromCells(done);
}

interface Edit {
  /**
   * Number of unchanged lines before the edit, number of removed lines, and the lines added in their place.
   */
  readonly kept: number;
  readonly removed: number;
  readonly added: readonly string[];
}

function editsOf({ start, parts }: ReturnType<typeof alignParts>): Edit[] {
  const edits: Edit[] = [];
  let edit = { kept: start, removed: 0, added: [] as readonly string[] };
  for (const { sign, lines } of parts) {
    if (sign === ' ') {
      edits.push(edit);
      edit = { kept: lines.length, removed: 0, added: [] };
    } else if (sign === '-') edit = { ...edit, removed: edit.removed + lines.length };
    else edit = { ...edit, added: [...edit.added, ...lines] };
  }
  return [...edits, edit];
}

/** Index in `cells` where the next `count` lines of the current text end. */
function behindPresent(cells: readonly Cell[], from: number, count: number): number {
  let [end, seen] = [from, 0];
  for (; seen < count && end < cells.length; end += 1) if (cells[end]?.sign !== '-') seen += 1;
  return end;
}

function behindRemoved(cells: readonly Cell[], from: number): number {
  let end = from;
  while (cells[end]?.sign === '-') end += 1;
  return end;
}

/**
 * New cells for `region`, which lies between two lines that the user kept; `after` is the second. The user
 * wrote `added` there. It may put back lines that the agent had removed.
 */
function written(region: readonly Cell[], added: readonly Line[], after: Cell | undefined): Cell[] {
  const removed = region.filter(({ sign }) => sign === '-').map(({ line }) => line);
  const lines = fromCells(cellsOf({ base: removed, now: added })).now;
  const places = new Map(region.map(({ line }, place) => [line, place]));
  const placed: Cell[] = [];
  let own: Line[] = [];
  let from = 0;
  for (const line of lines) {
    const place = places.get(line);
    if (place === undefined) own.push(line);
    else {
      push(placed, [...inPlace(region.slice(from, place), own), { sign: ' ', line }]);
      own = [];
      from = place + 1;
    }
  }
  push(placed, inPlace(region.slice(from), own));
  const isOwn = lines.some((line) => !places.has(line));
  const decided = isOwn ? replacedIn(region, after) : new Set();
  return placed.filter((cell) => !decided.has(cell));
}

/**
 * Puts each of the user's lines in the place of one that the user removed; extra lines go with the last. If
 * the user removed none, their lines go before the agent's removals, because those belong to the line that
 * follows.
 */
function inPlace(region: readonly Cell[], own: readonly Line[]): Cell[] {
  const common = own.map((line): Cell => ({ sign: ' ', line }));
  const gone = region.filter(({ sign }) => sign !== '-').length;
  if (gone === 0) return [...common, ...region];
  let place = 0;
  return region.flatMap((cell) => {
    if (cell.sign === '-') return [cell];
    place += 1;
    return common.slice(place - 1, place === gone ? undefined : place);
  });
}

/** Removals by the agent of which the user also removed the whole replacement. */
function replacedIn(region: readonly Cell[], after: Cell | undefined): Set<Cell> {
  const replaced = new Set<Cell>();
  let behind: 'nothing' | 'all' | 'a part' = after?.sign === '+' ? 'a part' : 'nothing';
  for (const cell of region.toReversed()) {
    if (cell.sign === ' ') behind = 'nothing';
    else if (cell.sign === '-' && behind === 'all') replaced.add(cell);
    else if (cell.sign === '+' && behind === 'nothing') behind = 'all';
  }
  return replaced;
}

/** Avoids `push(...more)`, which throws if a long file gives it too many arguments. */
function push(cells: Cell[], more: readonly Cell[]): void {
  for (const cell of more) cells.push(cell);
}
