// The result of a call: what the log stores of it, and how much of it the model reads.

import type { SeenFile } from '../log/seen-files.ts';
import { RENDERING_VERSION, renderResult } from '../rendering/render-result.ts';
import type { RenderedCall, Rendering } from '../rendering/rendering.ts';
import { seenInPart } from '../tools/common/seen-file.ts';
import type { ToolCall } from './reply.ts';
import type { ResultBudget } from './result-budget.ts';
import type { ToolRun } from './run.ts';
import type { ToolResult } from './tool-failure.ts';

/** A result whose place in the reply's budget is not known yet. */
export interface FinishedCall {
  readonly event: ToolResult;
  /** The JSON of the whole result, if `event` has only a part of it. */
  readonly whole?: string | undefined;
  /** Absolute path of a file that has more than `whole`. */
  readonly rest?: string | undefined;
  /** Files as the model knows them after it reads the whole result. */
  readonly seen?: Readonly<Record<string, SeenFile>> | undefined;
}

/** Stages the result, with as much of it for the model as the budget allows. Returns what it staged. */
export function stageResult(
  run: ToolRun,
  call: ToolCall,
  { event, whole = event.result, rest: kept, seen = {} }: FinishedCall,
  budget: ResultBudget,
): ToolResult {
  const { limit } = budget;
  const { cwd } = run;
  const { name, input } = call;
  const rendered = { name, input, result: event.result, diff: event.diff?.text, cwd, limit };
  const first = renderResult(rendered);
  const rest = first.isCut ? (kept ?? keepRest(run, call, { ...rendered, result: whole })) : undefined;
  const rendering = rest === undefined ? first : renderResult({ ...rendered, rest });
  budget.take(rendering.text.length);
  const known = knownAfter({ event, whole, seen }, rendering);
  run.remember(known);
  // In the order of the schema, because a log that is read has its fields in that order.
  const { type, id, result: json, isError, end, ...others } = event;
  const result: ToolResult = {
    ...{ type, id, result: json, isError, ...(end && { end }) },
    ...seenFields(known),
    rendering: { version: RENDERING_VERSION, limit, ...(rest !== undefined && { rest }) },
    ...others,
  };
  run.writer.stage(result);
  return result;
}

/** The path of a file with the whole text. Undefined if the model can read the rest where it is. */
function keepRest(run: ToolRun, { id, name }: ToolCall, whole: RenderedCall): string | undefined {
  if (name === 'read') return undefined;
  const { text } = renderResult({ ...whole, limit: Number.POSITIVE_INFINITY });
  return run.keepOutput?.(id, text);
}

/** A refusal shows lines of its file, and none of them is known to be shown if it is cut. */
function knownAfter(
  { event, whole, seen = {} }: FinishedCall,
  rendering: Rendering,
): Readonly<Record<string, SeenFile>> {
  if (event.isError && rendering.isCut) return {};
  return withLines(rendering.isCut || whole !== event.result ? seenInPart(seen) : seen, rendering);
}

/** A rendering with line numbers is about one file. */
function withLines(
  seen: Readonly<Record<string, SeenFile>>,
  { lines }: Rendering,
): Readonly<Record<string, SeenFile>> {
  const [entry, ...others] = Object.entries(seen);
  if (!entry || others.length > 0) return seen;
  const [path, file] = entry;
  return { [path]: { ...file, view: lines.reduce((view, shown) => view.withShown(shown), file.view) } };
}

function seenFields(seen: Readonly<Record<string, SeenFile>>): Pick<ToolResult, 'seen' | 'lines'> {
  const files = Object.entries(seen);
  if (files.length === 0) return {};
  const numbers = files.map(([path, { view }]) => [path, view.toNumbers()] as const);
  const lines = Object.fromEntries(numbers.filter(([, each]) => each.length > 0));
  return {
    seen: Object.fromEntries(files.map(([path, { version }]) => [path, version])),
    ...(Object.keys(lines).length > 0 && { lines }),
  };
}
