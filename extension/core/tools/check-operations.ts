// What must hold of all operations before the first of them is applied, with the words of each refusal.
import type { EditOperation } from './edit-operation.ts';
import { ToolError } from './tool.ts';

/** Lines `start` to `end` give way to the operation's content; an insert takes none, so its `end` is `start - 1`. */
export interface Span {
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
    throw new ToolError(`invalid line number: ${operation.afterLine} (must be >= 1)`);
  }
  const bad = [operation.startLine, operation.endLine].find((line) => line < 1);
  if (bad !== undefined) throw new ToolError(`invalid line number: ${bad} (must be >= 1)`);
}

function checkOrder(operation: EditOperation): void {
  if (operation.op === 'insert' || operation.startLine <= operation.endLine) return;
  throw new ToolError(`invalid range: startLine ${operation.startLine} > endLine ${operation.endLine}`);
}

function checkWithin(operation: EditOperation, lineCount: number): void {
  const named = operation.op === 'insert' ? [operation.afterLine] : [operation.startLine, operation.endLine];
  const beyond = named.find((line) => line > lineCount);
  if (beyond !== undefined) {
    throw new ToolError(`line ${beyond} out of range (file has ${lineCount} lines)`);
  }
}

/** An insert between two ranges touches neither; one inside a range would have no place left. */
function checkOverlap(operations: readonly EditOperation[]): void {
  let covered = 0;
  for (const { start, end } of operations.map(spanOf).sort(inFileOrder)) {
    if (start <= covered) throw new ToolError(`operations overlap at line ${Math.min(start, end)}`);
    covered = Math.max(covered, end);
  }
}

/** By their place in the file; an insert comes before the range that begins there. */
export function inFileOrder(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end;
}
