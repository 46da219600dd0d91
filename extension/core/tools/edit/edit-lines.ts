// An edit by line numbers. They mean the lines that the model saw last under them.
import { afterLines, countLinesIn, splitLines, usualLineEndIn } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { ShownLines } from '../../rendering/line-view.ts';
import { type KnownFile, refuseLines } from '../common/line-knowledge.ts';
import type { ToolContext } from '../common/tool.ts';
import { applyOperations, checkOperations, spanOf } from './apply-operations.ts';
import type { EditOperation } from './edit-operation.ts';
import type { EditedText } from './edited-text.ts';

type Context = Pick<ToolContext, 'seen' | 'withoutSecrets'>;

/** Applies all operations or throws `ToolError`. */
export function editLines(
  context: Context,
  file: KnownFile,
  operations: readonly EditOperation[],
): EditedText {
  const count = countLinesIn(file.text);
  checkOperations(operations, Number.POSITIVE_INFINITY);
  const current = context.seen ? carriedOver(context, file, operations, count) : operations;
  checkOperations(current, count);
  return applyNear(file.text, current, count);
}

/** Splits only the lines from the first operation to the last one, because a file may have millions. */
function applyNear(text: string, operations: readonly EditOperation[], count: number): EditedText {
  const spans = operations.map(spanOf);
  const skipped = Math.max(0, Math.min(...spans.map(({ start }) => start)) - 2);
  const start = afterLines(text, 0, skipped).place;
  const wanted = Math.max(...spans.map(({ end }) => end)) + 1 - skipped;
  const { place: end, count: split } = afterLines(text, start, wanted);
  const near = operations.map((operation) => movedUp(operation, skipped));
  const lines = splitLines(text.slice(start, end));
  const { lines: after, linesChanged, splices } = applyOperations(lines, near, usualLineEndIn(text));
  return {
    text: text.slice(0, start) + after.join('') + text.slice(end),
    newLineCount: count - split + after.length,
    linesChanged,
    splices: splices.map((splice) => ({
      ...splice,
      start: splice.start + skipped,
      end: splice.end + skipped,
    })),
  };
}

function movedUp(operation: EditOperation, lines: number): EditOperation {
  if (operation.op === 'insert') return { ...operation, afterLine: operation.afterLine - lines };
  return { ...operation, startLine: operation.startLine - lines, endLine: operation.endLine - lines };
}

/** The operations with the numbers that their lines have in the current text. */
function carriedOver(
  context: Context,
  file: KnownFile,
  operations: readonly EditOperation[],
  count: number,
): EditOperation[] {
  const carried = operations.map((operation) => carry(context, file, operation));
  const lost = operations.filter((_, index) => !carried[index]).map(linesOf);
  if (lost.length === 0) return carried.filter((operation) => operation !== undefined);
  const beyond = lost.find(({ last }) => last > count);
  if (beyond)
    throw new ToolError(`line ${beyond.last} out of range (file has ${count} lines)`, {
      code: 'invalid_input',
    });
  const isOne = lost.length === 1 && lost[0]?.first === lost[0]?.last;
  const numbers = lost.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  const reason = `you have not seen ${isOne ? 'line' : 'lines'} ${numbers.join(', ')} of ${file.path} as ${isOne ? 'it is' : 'they are'} now`;
  refuseLines(context, file, lost, reason);
}

function carry({ seen }: Context, { path, text, view }: KnownFile, operation: EditOperation) {
  // The top is no line, but an unread file may not be what the model thinks that it is.
  if (operation.op === 'insert' && operation.afterLine === 0)
    return text === '' || seen?.get(path) ? operation : undefined;
  const lines = view.currentLines(linesOf(operation));
  if (!lines) return undefined;
  if (operation.op === 'insert') return { ...operation, afterLine: lines.first };
  return { ...operation, startLine: lines.first, endLine: lines.last };
}

function linesOf(operation: EditOperation): ShownLines {
  if (operation.op === 'insert') return { first: operation.afterLine, last: operation.afterLine };
  return { first: operation.startLine, last: operation.endLine };
}
