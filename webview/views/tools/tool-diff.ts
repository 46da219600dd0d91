// What a call of `edit` or `write` changes: as its result tells, or before there is one, its input, which has the lines
// that come, and where others go.
import * as z from 'zod/mini';
import { strings } from '../../l10n/strings.ts';
import type { ToolPart } from '../../state/parts.ts';

/** A line that comes, goes or stays, the place of lines that go, or the place of those that follow. */
export interface DiffRow {
  readonly kind: 'added' | 'removed' | 'same' | 'place';
  readonly text: string;
}

export interface Diff {
  readonly rows: readonly DiffRow[];
  /** Lines that are not among them. */
  readonly more: number;
}

const MAX_ROWS = 40;
/** Characters of a line. */
const LONGEST = 500;

const line = z.optional(z.number());
const operation = z.object({
  op: z.enum(['replace', 'insert', 'delete']),
  startLine: line,
  endLine: line,
  afterLine: line,
  content: z.optional(z.array(z.string())),
});
type Operation = z.infer<typeof operation>;
const operations = z.array(operation);

/** Undefined where the input is none that the tool would take. */
export function diffOf({ name, input, diff }: ToolPart): Diff | undefined {
  if (diff) return { rows: unifiedRows(diff.text), more: diff.moreLines ?? 0 };
  if (name === 'write' && typeof input?.content === 'string') {
    return limited([...placeOfWrite(input.mode), ...added(input.content)]);
  }
  const parsed = name === 'edit' ? operations.safeParse(input?.operations) : undefined;
  return parsed?.success ? limited(inOrder(parsed.data).flatMap(rowsOf)) : undefined;
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

/** What is no head is a remark of the format: that the last line has no end. */
function placeOf(line: string): string {
  const [, first = 0, count = 0] = head.exec(line)?.map(Number) ?? [];
  if (count > 0) return strings.linesOf(first, first + count - 1);
  return line.startsWith('@') ? strings.afterLine(first) : line.slice(2);
}

function limited(rows: readonly DiffRow[]): Diff {
  const shown = rows.slice(0, MAX_ROWS).map(({ kind, text }) => ({ kind, text: cut(text) }));
  return { rows: shown, more: rows.length - shown.length };
}

function placeOfWrite(mode: unknown): DiffRow[] {
  return mode === 'append' ? [{ kind: 'place', text: strings.atTheEnd }] : [];
}

function inOrder(given: readonly Operation[]): Operation[] {
  return given.toSorted((a, b) => startOf(a) - startOf(b));
}

/** What is put behind a line comes before the next. */
function startOf({ afterLine = 0, startLine = afterLine + 0.5 }: Operation): number {
  return startLine;
}

function rowsOf({ op, startLine = 0, endLine = 0, afterLine = 0, content = [] }: Operation): DiffRow[] {
  const place: DiffRow =
    op === 'insert'
      ? { kind: 'place', text: strings.afterLine(afterLine) }
      : { kind: 'removed', text: strings.linesOf(startLine, endLine) };
  return [place, ...content.flatMap(added)];
}

/** The line end behind the last line begins no other. */
function added(text: string): DiffRow[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.map((line) => ({ kind: 'added', text: line }));
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
