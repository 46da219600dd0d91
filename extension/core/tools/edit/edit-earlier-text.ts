// An edit by a text that an earlier edit of the same reply has changed: the model wrote it before it read that.
import { compareLines } from '../../base/diff/diff-lines.ts';
import {
  countLinesIn,
  type LineEnd,
  lineStartAt,
  splitLines,
  usualLineEndIn,
} from '../../base/text/lines.ts';
import { LineView } from '../../rendering/line-view.ts';
import { type KnownFile, lineViewOf, refuseLines } from '../common/line-knowledge.ts';
import type { ToolContext } from '../common/tool.ts';
import { applyOperations } from './apply-operations.ts';
import type { EditOperation } from './edit-operation.ts';
import type { EditedText } from './edited-text.ts';

interface TextChange {
  readonly wanted: string;
  readonly next: string;
}

/**
 * Undefined if the text is in the file, and unless it is once in the file as the model read it last. Only the
 * lines that the model changes must still be there; otherwise throws a refusal. `lineEnd` is that of the file.
 */
export function editEarlierText(
  context: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  file: KnownFile,
  change: TextChange,
  lineEnd: LineEnd,
): EditedText | undefined {
  const earlier = context.seen?.get(file.path)?.asRead;
  if (earlier === undefined || earlier === file.text) return undefined;
  if (hasExactly(file.text, change.wanted, lineEnd)) return undefined;
  const count = countLinesIn(earlier);
  const operations = operationsIn(earlier, change, usualLineEndIn(earlier));
  if (!operations) return undefined;
  const known = { version: '', text: earlier, view: LineView.whole(count) };
  const view = lineViewOf(known, file.version, file.text);
  const carried = operations.map((operation) => carriedTo(view, operation, count));
  const lost = operations.find((_, index) => !carried[index]);
  if (lost) return refuseEarlier(context, file, lost, view);
  const current = carried.filter((operation) => operation !== undefined);
  const note = 'old_string is from before your earlier edit; its other lines keep that edit';
  return { ...applyOperations(file.text, current), note };
}

function hasExactly(text: string, wanted: string, lineEnd: LineEnd): boolean {
  return text.includes(wanted) || text.includes(wanted.replace(/\r?\n/g, lineEnd));
}

/** What the change does to the whole lines of `text`. Undefined unless the text has `wanted` once. */
function operationsIn(
  text: string,
  { wanted, next }: TextChange,
  lineEnd: string,
): EditOperation[] | undefined {
  const [old, now] = [wanted, next].map((part) => part.replace(/\r?\n/g, lineEnd)) as [string, string];
  const at = text.indexOf(old);
  if (at < 0 || text.includes(old, at + 1)) return undefined;
  const start = lineStartAt(text, at);
  const end = text.indexOf('\n', at + old.length - 1) + 1 || text.length;
  const [before, after] = [text.slice(start, at), text.slice(at + old.length, end)];
  const lines = splitLines(text.slice(start, Math.max(end, at + old.length)));
  return operationsOf(lines, splitLines(before + now + after), countLinesIn(text.slice(0, start)) + 1);
}

/** `first` is the number of the first old line. */
function operationsOf(old: readonly string[], now: readonly string[], first: number): EditOperation[] {
  const operations: EditOperation[] = [];
  let startLine = first;
  let [removed, content] = [0, [] as string[]];
  for (const { sign, lines } of [...compareLines(old, now), { sign: ' ', lines: [] } as const]) {
    if (sign === '-') removed += lines.length;
    if (sign === '+') content.push(...lines);
    if (sign !== ' ') continue;
    const endLine = startLine + removed - 1;
    if (removed === 0 && content.length > 0)
      operations.push({ op: 'insert', afterLine: startLine - 1, content });
    if (removed > 0 && content.length > 0) operations.push({ op: 'replace', startLine, endLine, content });
    if (removed > 0 && content.length === 0) operations.push({ op: 'delete', startLine, endLine });
    startLine += removed + lines.length;
    [removed, content] = [0, []];
  }
  return operations;
}

/** The operation in the current lines; undefined if its lines changed, or if its place is not clear. */
function carriedTo(view: LineView, operation: EditOperation, count: number): EditOperation | undefined {
  if (operation.op !== 'insert') {
    const lines = view.currentLines({ first: operation.startLine, last: operation.endLine });
    return lines && { ...operation, startLine: lines.first, endLine: lines.last };
  }
  const { afterLine } = operation;
  const before =
    afterLine === 0 ? undefined : view.currentLines({ first: afterLine, last: afterLine })?.first;
  const after =
    afterLine === count ? undefined : view.currentLines({ first: afterLine + 1, last: afterLine + 1 })?.first;
  if (before !== undefined && after !== undefined && after !== before + 1) return undefined;
  const place = before ?? (after === undefined ? undefined : after - 1);
  return place === undefined ? undefined : { ...operation, afterLine: place };
}

/** Shows the lines nearest to the place. */
function refuseEarlier(
  context: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  file: KnownFile,
  lost: EditOperation,
  view: LineView,
): never {
  const line = lost.op === 'insert' ? lost.afterLine : lost.startLine;
  let at = line;
  while (at > 1 && !view.currentLines({ first: at, last: at })) at -= 1;
  const first = view.currentLines({ first: at, last: at })?.first ?? 1;
  const reason = `your earlier edit changed these lines of ${file.path}, so old_string is no longer there`;
  refuseLines(context, file, [{ first, last: first + line - at }], reason);
}
