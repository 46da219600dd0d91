// The calls of one reply: which run together, and which no longer run.
import { effectOf } from '../../protocol/tool-names.ts';
import type { ToolCall } from './reply.ts';
import { ResultBudget } from './result-budget.ts';
import type { Run } from './run.ts';
import { authorizeCall } from './run-tool-call.ts';
import { failedToolResult, type ToolResult } from './tool-failure.ts';
import { type FinishedCall, stageResult } from './tool-result.ts';

/**
 * Runs the calls of one reply in order; neighbors that only read run together. A failure stops later calls
 * that could change something, a message from the user or a stop all of them. Every call still gets a result,
 * because the API refuses a history with an open call. Resolves with the results, in the order of the calls.
 */
export async function callTools(run: Run, calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
  const window = run.provider.contextWindow?.(run.model);
  const budget = new ResultBudget(window, Math.min(calls.length, run.maxToolCallsPerTurn));
  const results: ToolResult[] = [];
  let failed: ToolCall | undefined;
  for (const group of groupsOf(run, calls)) {
    const finished = await runGroup(run, group, results.length, failed);
    for (const [index, call] of group.entries()) {
      const result = finished[index] && stageResult(run, call, finished[index], budget);
      if (!result) continue;
      results.push(result);
      if (result.isError && result.end !== 'skipped') failed ??= call;
    }
  }
  return results;
}

/** Neighbors that only read, or a single call. */
function groupsOf(run: Run, calls: readonly ToolCall[]): ToolCall[][] {
  const groups: ToolCall[][] = [];
  for (const [index, call] of calls.entries()) {
    const before = calls[index - 1];
    const isTogether = run.toolOrder !== 'strict' && before && onlyReads(before) && onlyReads(call);
    if (isTogether) groups.at(-1)?.push(call);
    else groups.push([call]);
  }
  return groups;
}

function onlyReads({ name, input }: ToolCall): boolean {
  return effectOf(name, input) === 'reads';
}

/** The gate decides on one call after the other. `index` is that of the first call in its reply. */
async function runGroup(
  run: Run,
  group: readonly ToolCall[],
  index: number,
  failed: ToolCall | undefined,
): Promise<FinishedCall[]> {
  const allowed: (() => Promise<FinishedCall>)[] = [];
  for (const [offset, call] of group.entries()) {
    const unrun = whyNot(run, call, index + offset, failed);
    allowed.push(unrun ? async () => skipped(call, ...unrun) : await authorizeCall(run, call));
  }
  return Promise.all(allowed.map((execute) => execute()));
}

/** Why the call must not run; undefined if it may. */
function whyNot(
  run: Run,
  call: ToolCall,
  index: number,
  failed: ToolCall | undefined,
): readonly [string, 'cancelled' | 'skipped'] | undefined {
  const limit = run.maxToolCallsPerTurn;
  if (run.signal.aborted) return ['cancelled by the user before it ran', 'cancelled'];
  if (failed && (run.toolOrder === 'strict' || !onlyReads(call)))
    return [`skipped: ${failed.name || 'the call'} before it failed`, 'skipped'];
  if (run.steering.isWaiting) return [STEERED, 'skipped'];
  if (index >= limit) return [`skipped: at most ${limit} calls of one reply are run`, 'skipped'];
  return undefined;
}

const STEERED =
  'skipped: the user has sent a message; read it first, then decide whether this is still wanted';

function skipped({ id }: ToolCall, message: string, end: 'cancelled' | 'skipped'): FinishedCall {
  return { event: failedToolResult(id, message, end, end) };
}
