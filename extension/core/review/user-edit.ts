// An edit that the user has made beside the agent's: it holds for what is accepted as for what is there.
import { compareLines } from './compare-lines.ts';
import { type Cell, cellsOf, fromCells, newLines, type ReviewedText, textsOf } from './reviewed-text.ts';

/** The texts when the user has made `texts` of what is there. */
export function applyUserEdit(text: ReviewedText, texts: readonly string[], origin: string): ReviewedText {
  const rest = cellsOf(text);
  const done: Cell[] = [];
  let made = 0;
  // A call with as many arguments as a long file has lines is refused.
  const keep = (count: number) => {
    for (const cell of takeAlive(rest, count)) done.push(cell);
  };
  for (const { kept, removed, added } of editsOf(textsOf(text.now), texts)) {
    keep(kept);
    if (removed === 0 && added.length === 0) continue;
    const region = [...takeAlive(rest, removed), ...takeRemoved(rest)];
    const lines = newLines(added, 'you', `${origin}.${made}`);
    made += 1;
    for (const cell of replaced(region, lines, done.at(-1), rest[0])) done.push(cell);
  }
  return fromCells([...done, ...rest]);
}

interface Edit {
  /** Lines that stay before it, lines that go, and what comes in their place. */
  readonly kept: number;
  readonly removed: number;
  readonly added: readonly string[];
}

function editsOf(old: readonly string[], now: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  let edit = { kept: 0, removed: 0, added: [] as readonly string[] };
  for (const { sign, lines } of compareLines(old, now)) {
    if (sign === ' ') {
      edits.push(edit);
      edit = { kept: lines.length, removed: 0, added: [] };
    } else if (sign === '-') edit = { ...edit, removed: edit.removed + lines.length };
    else edit = { ...edit, added: [...edit.added, ...lines] };
  }
  return [...edits, edit];
}

/** The cells up to and with the next `count` lines that are there. */
function takeAlive(rest: Cell[], count: number): Cell[] {
  let [end, seen] = [0, 0];
  while (seen < count && end < rest.length) {
    if (rest[end]?.sign !== '-') seen += 1;
    end += 1;
  }
  return rest.splice(0, end);
}

function takeRemoved(rest: Cell[]): Cell[] {
  const end = rest.findIndex(({ sign }) => sign !== '-');
  return rest.splice(0, end < 0 ? rest.length : end);
}

/**
 * What the agent had removed there may be put back by the user, who may also have written his own in place of all that the
 * agent had put there: then its removal is no longer the agent's either.
 */
function replaced(
  region: readonly Cell[],
  added: readonly Cell['line'][],
  before: Cell | undefined,
  after: Cell | undefined,
): Cell[] {
  const removed = region.filter(({ sign }) => sign === '-').map(({ line }) => line);
  const cells = cellsOf({ base: removed, now: added });
  const isOwn = cells.some(({ sign }) => sign === '+');
  const wasReplacement =
    region.some(({ sign }) => sign === '+') && before?.sign !== '+' && after?.sign !== '+';
  return cells
    .filter(({ sign }) => sign !== '-' || !(isOwn && wasReplacement))
    .map(({ sign, line }) => ({ sign: sign === '+' ? ' ' : sign, line }));
}
