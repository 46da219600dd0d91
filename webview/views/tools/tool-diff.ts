// The changes of a call: from its result, or before that from its input.
import { strings } from '../../l10n/strings.ts';
import type { ToolPart } from '../../state/parts.ts';
import type { DiffRow } from '../../tools/input-diff.ts';
import { viewOf } from '../../tools/tool-table.ts';

interface Diff {
  readonly rows: readonly DiffRow[];
  /** The number of omitted lines. */
  readonly more: number;
}

const MAX_ROWS = 40;
/** The most characters of a line. */
const LONGEST = 500;

/** Undefined if the tool would not accept the input. */
export function diffOf({ name, input = {}, diff }: ToolPart): Diff | undefined {
  if (diff) return { rows: unifiedRows(diff.text), more: diff.moreLines ?? 0 };
  const rows = viewOf(name).change?.(input);
  return rows && limited(rows);
}

const kinds: Readonly<Record<string, DiffRow['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' };
const head = /^@@ -\S+ \+(\d+),(\d+) @@$/;

/** Each hunk begins with its place in the new text. */
function unifiedRows(diff: string): DiffRow[] {
  return diff.split('\n').map((line) => {
    const kind = kinds[line.charAt(0)];
    return kind ? { kind, text: line.slice(1).replace(/\r$/, '') } : { kind: 'place', text: placeOf(line) };
  });
}

/** Any other line is a remark of the format: the last line has no line ending. */
function placeOf(line: string): string {
  const [, first = 0, count = 0] = head.exec(line)?.map(Number) ?? [];
  if (count > 0) return strings.linesOf(first, first + count - 1);
  return line.startsWith('@') ? strings.afterLine(first) : line.slice(2);
}

function limited(rows: readonly DiffRow[]): Diff {
  const shown = rows.slice(0, MAX_ROWS).map(({ kind, text }) => ({ kind, text: cut(text) }));
  return { rows: shown, more: rows.length - shown.length };
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
