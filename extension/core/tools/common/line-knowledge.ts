// Where the lines that the model knows are in the current text, and the refusal if it does not know them.

import { compareTexts } from '../../base/diff/diff-texts.ts';
import { countLinesIn, linesBetween, splitLines } from '../../base/text/lines.ts';
import type { ToolErrorCode } from '../../base/tool-error.ts';
import type { SeenFile } from '../../log/seen-files.ts';
import { type LineSplice, LineView, type ShownLines } from '../../rendering/line-view.ts';
import { numberedLines } from '../../rendering/numbered-lines.ts';
import { RefusedEdit } from './seen-file.ts';
import type { ToolContext } from './tool.ts';

/** A file's text, and what the model knows of its lines. */
export interface KnownFile {
  readonly path: string;
  readonly version: string;
  readonly text: string;
  readonly view: LineView;
}

/** Lines around a place that a refusal shows. */
const AROUND = 3;
/** Characters of a text that is compared with the one that the model knew. */
const MOST_COMPARED = 2_000_000;
/** Lines that a refusal shows. */
const MOST_SHOWN = 40;

/** The model's line numbers in `text`, which is the file's current text. Undefined without a session. */
export function lineViewOf(known: SeenFile | undefined, version: string, text: string): LineView {
  if (!known) return LineView.empty;
  if (known.version === version) return known.view;
  if (known.text === undefined || text.length > MOST_COMPARED) return LineView.empty;
  return known.view.afterSplices(foreignSplices(known.text, text));
}

/** What a change of the text did to its lines. */
export function splicesOf(before: string, after: string): LineSplice[] {
  const { start, parts } = compareTexts(before, after);
  let line = countLinesIn(before.slice(0, start)) + 1;
  const splices: LineSplice[] = [];
  let open: LineSplice | undefined;
  for (const { sign, lines } of [...parts, { sign: ' ', lines: [] } as const]) {
    if (sign === ' ') {
      if (open) splices.push(open);
      open = undefined;
      line += lines.length;
      continue;
    }
    open ??= { start: line, end: line, added: 0 };
    if (sign === '-') open = { ...open, end: open.end + lines.length };
    else open = { ...open, added: open.added + lines.length };
    if (sign === '-') line += lines.length;
  }
  return splices;
}

/**
 * What somebody else changed. A comparison cannot tell which of several equal lines was removed or added, so
 * the equal lines next to a change count as changed too.
 */
function foreignSplices(before: string, after: string): LineSplice[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  let shift = 0;
  const splices: LineSplice[] = [];
  for (const splice of splicesOf(before, after)) {
    const added = now.slice(splice.start - 1 + shift, splice.start - 1 + shift + splice.added);
    const changed = new Set([...old.slice(splice.start - 1, splice.end - 1), ...added]);
    shift += splice.added - (splice.end - splice.start);
    const least = splices.at(-1)?.end ?? 1;
    splices.push(widened(splice, old, changed, least));
  }
  return splices;
}

function widened(
  { start, end, added }: LineSplice,
  lines: readonly string[],
  changed: Set<string>,
  least: number,
) {
  let [first, last] = [Math.max(start, least), end];
  while (first > least && changed.has(lines[first - 2] ?? '')) first -= 1;
  while (last <= lines.length && changed.has(lines[last - 1] ?? '')) last += 1;
  return { start: first, end: last, added: added + (start - first) + (last - end) };
}

/** Throws a refusal that shows the lines of the current text near `wanted`. */
export function refuseLines(
  context: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  file: KnownFile,
  wanted: readonly ShownLines[],
  reason: string,
  code: ToolErrorCode = 'conflict',
): never {
  const visible = context.withoutSecrets(file.text);
  const shown = rangesAround(wanted, countLinesIn(visible));
  const parts = shown.map(({ first, last }) =>
    numberedLines(linesBetween(visible, first, last).join(''), first, Number.POSITIVE_INFINITY),
  );
  const rows = parts.map(({ text }) => text);
  const view = parts.flatMap(({ whole }) => whole).reduce((view, range) => view.withShown(range), file.view);
  const { path, version, text } = file;
  const now = rows.length > 0 ? ` The file now has:\n${rows.join('\n...\n')}` : '';
  throw new RefusedEdit(`${reason}; nothing was applied.${now}`, code, {
    [path]: { version, text, inPart: true, view },
  });
}

/** Ascending, without overlaps, and at most `MOST_SHOWN` lines together. */
function rangesAround(wanted: readonly ShownLines[], count: number): ShownLines[] {
  const ranges: ShownLines[] = [];
  let room = MOST_SHOWN;
  for (const { first, last } of wanted.toSorted((a, b) => a.first - b.first)) {
    const from = Math.max(1, Math.min(first, count) - AROUND, (ranges.at(-1)?.last ?? 0) + 1);
    const to = Math.min(count, last + AROUND, from + room - 1);
    if (to < from) continue;
    ranges.push({ first: from, last: to });
    room -= to - from + 1;
  }
  return ranges;
}
