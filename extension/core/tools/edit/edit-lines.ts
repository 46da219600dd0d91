// An edit by line numbers. They mean the lines that the model saw last under them.
import { countLinesIn } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { ShownLines } from '../../rendering/line-view.ts';
import { type KnownFile, refuseLines } from '../common/line-knowledge.ts';
import type { ToolContext } from '../common/tool.ts';
import { applyOperations, checkOperations, spanOf } from './apply-operations.ts';
import type { EditOperation } from './edit-operation.ts';
import { type EditedText, requireNear } from './edited-text.ts';

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
  const spans = current.map(spanOf);
  const first = Math.min(...spans.map(({ start }) => start));
  requireNear(file.path, Math.max(...spans.map(({ end }) => end)) - first + 1);
  return applyOperations(file.text, current, count);
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
