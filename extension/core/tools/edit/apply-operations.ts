import { type LineEnd, lineEndOf, usualLineEnd } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { LineSplice } from '../../rendering/line-view.ts';
import type { EditOperation } from './edit-operation.ts';

export interface Edited {
  /** Each line has its line end. */
  readonly lines: readonly string[];
  /** For all operations together, the greater of the removed and the added lines. */
  readonly linesChanged: number;
  readonly splices: readonly LineSplice[];
}

interface Splice extends Span {
  readonly added: readonly string[];
}

/**
 * Applies all operations or throws `ToolError`. Line numbers refer to `lines`. Other lines stay unchanged.
 * New lines get `lineEnd`, by default the usual one, and a file without a final line end stays without one.
 */
export function applyOperations(
  lines: readonly string[],
  operations: readonly EditOperation[],
  lineEnd: LineEnd = usualLineEnd(lines),
): Edited {
  checkOperations(operations, lines.length);
  const splices = operations.map((operation) => toSplice(operation, lineEnd)).sort(inFileOrder);
  const effective = splices.filter((splice) => changedLines(splice) > 0);
  return {
    lines: splice(lines, effective, lineEnd),
    linesChanged: sum(effective.map(changedLines)),
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function splice(lines: readonly string[], splices: readonly Splice[], lineEnd: LineEnd): readonly string[] {
  const last = lines.at(-1);
  if (last === undefined || lineEndOf(last) !== '') return toSegments(lines, splices).flat();
  const segments = toSegments([...lines.slice(0, -1), last + lineEnd], splices);
  const result = segments.flat();
  return endsAnew(segments) ? withoutFinal(result, lineEnd) : result;
}

/** Alternates kept and added lines; the first and the last segment are kept lines. */
function toSegments(lines: readonly string[], splices: readonly Splice[]): (readonly string[])[] {
  const segments: (readonly string[])[] = [];
  let next = 0;
  for (const { start, end, added } of splices) {
    segments.push(lines.slice(next, start - 1), added);
    next = end;
  }
  segments.push(lines.slice(next));
  return segments;
}

/** The last line is new, or was the last one before. Any other last line keeps its line end. */
function endsAnew(segments: readonly (readonly string[])[]): boolean {
  const index = segments.findLastIndex((segment) => segment.length > 0);
  return index % 2 === 1 || index === segments.length - 1;
}

function withoutFinal(lines: readonly string[], lineEnd: LineEnd): readonly string[] {
  const text = (lines.at(-1) ?? '').slice(0, -lineEnd.length);
  return text === '' ? lines.slice(0, -1) : [...lines.slice(0, -1), text];
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
