// The change that a call of `edit` or `write` will make. Its input contains the added lines and the place of
// removed ones.
import * as z from 'zod/mini';
import { strings } from '../l10n/strings.ts';
import type { Input } from './call-subject.ts';

/** An added, removed or unchanged line, the place of removed lines, or the place of the lines that follow. */
export interface DiffRow {
  readonly kind: 'added' | 'removed' | 'same' | 'place';
  readonly text: string;
}

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

export function writtenRows({ content, mode }: Input): readonly DiffRow[] | undefined {
  return typeof content === 'string' ? [...placeOfWrite(mode), ...added(content)] : undefined;
}

export function editedRows(input: Input): readonly DiffRow[] | undefined {
  const parsed = operations.safeParse(input.operations);
  return parsed.success ? inOrder(parsed.data).flatMap(rowsOf) : undefined;
}

function placeOfWrite(mode: unknown): DiffRow[] {
  return mode === 'append' ? [{ kind: 'place', text: strings.atTheEnd }] : [];
}

function inOrder(given: readonly Operation[]): Operation[] {
  return given.toSorted((a, b) => startOf(a) - startOf(b));
}

/** Text inserted after a line comes before the next line. */
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

/** The line ending after the last line does not begin another line. */
function added(text: string): DiffRow[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.map((line) => ({ kind: 'added', text: line }));
}
