import { afterLines, countLinesIn, type LineEnd, usualLineEndIn } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { EditOperation } from './edit-operation.ts';
import type { EditedText } from './edited-text.ts';

interface Splice extends Span {
  /** Each line has its line end. */
  readonly added: readonly string[];
}

/**
 * Applies all operations or throws `ToolError`. Line numbers refer to `text`, which has `lineCount` lines.
 * Other lines stay unchanged. New lines get the usual line end, and a file without a final line end stays
 * without one. Makes no string of each line, because a file may have millions.
 */
export function applyOperations(
  text: string,
  operations: readonly EditOperation[],
  lineCount = countLinesIn(text),
): EditedText {
  checkOperations(operations, lineCount);
  const lineEnd = usualLineEndIn(text);
  const splices = operations.map((operation) => toSplice(operation, lineEnd)).sort(inFileOrder);
  const effective = splices.filter((splice) => changedLines(splice) > 0);
  const after = withoutNewEnd(text, toPieces(text, effective, lineEnd), lineEnd).join('');
  return {
    text: after,
    newLineCount: countLinesIn(after),
    linesChanged: effective.map(changedLines).reduce((total, count) => total + count, 0),
    splices: effective.map(({ start, end, added }) => ({ start, end: end + 1, added: added.length })),
  };
}

function toSplice(operation: EditOperation, lineEnd: LineEnd): Splice {
  const content = operation.op === 'delete' ? [] : operation.content;
  return { ...spanOf(operation), added: content.flatMap((item) => toLines(item, lineEnd)) };
}

/** A line end that the model put after its line adds no further line. */
function toLines(item: string, lineEnd: LineEnd): string[] {
  return item
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line + lineEnd);
}

function changedLines({ start, end, added }: Splice): number {
  return Math.max(end - start + 1, added.length);
}

/** Alternates kept and added text; the first and the last piece are kept. */
function toPieces(text: string, splices: readonly Splice[], lineEnd: LineEnd): string[] {
  const pieces: string[] = [];
  let [line, place] = [0, 0];
  for (const { start, end, added } of splices) {
    const { place: stop } = afterLines(text, place, start - 1 - line);
    const kept = text.slice(place, stop);
    const isLast = kept !== '' && !kept.endsWith('\n');
    pieces.push(isLast ? kept + lineEnd : kept, added.join(''));
    place = afterLines(text, stop, end - start + 1).place;
    line = end;
  }
  return [...pieces, text.slice(place)];
}

/** Takes the line end from a new last line if the text had no final one. */
function withoutNewEnd(text: string, pieces: readonly string[], lineEnd: LineEnd): readonly string[] {
  const last = pieces.findLastIndex((piece) => piece !== '');
  if (text === '' || text.endsWith('\n') || last % 2 !== 1) return pieces;
  return pieces.with(last, (pieces[last] ?? '').slice(0, -lineEnd.length));
}

// Checks all operations before the first one is applied; contains the words of each refusal.

/**
 * The operation's content replaces lines `start` to `end`. An insert replaces none, so its `end` is `start -
 * 1`.
 */
interface Span {
  readonly start: number;
  readonly end: number;
}

export function spanOf(operation: EditOperation): Span {
  if (operation.op === 'insert') return { start: operation.afterLine + 1, end: operation.afterLine };
  return { start: operation.startLine, end: operation.endLine };
}

/** Throws `ToolError`. */
export function checkOperations(operations: readonly EditOperation[], lineCount: number): void {
  operations.forEach(checkLineNumbers);
  operations.forEach(checkOrder);
  for (const operation of operations) checkWithin(operation, lineCount);
  checkOverlap(operations);
}

function checkLineNumbers(operation: EditOperation): void {
  if (operation.op === 'insert') {
    if (operation.afterLine >= 0) return;
    throw new ToolError(`invalid line number: ${operation.afterLine} (must be >= 1)`, {
      code: 'invalid_input',
    });
  }
  const bad = [operation.startLine, operation.endLine].find((line) => line < 1);
  if (bad !== undefined)
    throw new ToolError(`invalid line number: ${bad} (must be >= 1)`, { code: 'invalid_input' });
}

function checkOrder(operation: EditOperation): void {
  if (operation.op === 'insert' || operation.startLine <= operation.endLine) return;
  throw new ToolError(`invalid range: startLine ${operation.startLine} > endLine ${operation.endLine}`, {
    code: 'invalid_input',
  });
}

function checkWithin(operation: EditOperation, lineCount: number): void {
  const named = operation.op === 'insert' ? [operation.afterLine] : [operation.startLine, operation.endLine];
  const beyond = named.find((line) => line > lineCount);
  if (beyond !== undefined) {
    throw new ToolError(`line ${beyond} out of range (file has ${lineCount} lines)`, {
      code: 'invalid_input',
    });
  }
}

/**
 * An insert between two ranges overlaps neither. An insert inside a range is refused, because its place would
 * disappear.
 */
function checkOverlap(operations: readonly EditOperation[]): void {
  let covered = 0;
  for (const { start, end } of operations.map(spanOf).sort(inFileOrder)) {
    if (start <= covered)
      throw new ToolError(`operations overlap at line ${Math.min(start, end)}`, { code: 'invalid_input' });
    covered = Math.max(covered, end);
  }
}

/** Sorts by place in the file; an insert comes before a range that begins at its place. */
export function inFileOrder(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end;
}
