// One call: schema → permission → execute → result. The only place that catches what a tool throws.
import type { EventDraft } from '../../protocol/events.ts';
import { ToolError } from '../base/tool-error.ts';
import { toldChanges } from '../checkpoints/change-tracker.ts';
import { summarizeCall } from '../log/summarize-call.ts';
import { hashAction } from '../permission/action.ts';
import type { Authorization } from '../permission/gate.ts';
import { capResult } from '../tools/common/cap-result.ts';
import { seenInPart } from '../tools/common/seen-file.ts';
import type { PreparedCall, Tool, ToolOutput } from '../tools/common/tool.ts';
import type { ToolCall } from './reply.ts';
import type { Run, ToolRun } from './run.ts';
import { failedToolResult, type ToolResult } from './tool-failure.ts';

/** Resolves when the result is staged; the next append writes it. */
export async function runToolCall(run: ToolRun, call: ToolCall): Promise<ToolResult> {
  const message = summarizeCall(call, run.withoutSecrets);
  run.writer.stage({ type: 'status', state: 'running_tool', message });
  let started = run.clock.monotonic();
  const result = await resultOf(run, call, () => {
    started = run.clock.monotonic();
  });
  const milliseconds = Math.round(run.clock.monotonic() - started);
  run.writer.stage({ ...result, milliseconds });
  return result;
}

/** `onAnswered` is called after the user has answered a permission request. */
async function resultOf(run: ToolRun, call: ToolCall, onAnswered: () => void): Promise<ToolResult> {
  try {
    const tool = findTool(run, call);
    const prepared = await tool.prepare(call.input, run.toolContext, run.signal);
    const { action, previews = [], touches } = prepared;
    run.changes.expect(touches);
    const authorization = await run.gate.authorize(
      { id: call.id, tool: call.name, action, previews },
      run.signal,
    );
    if (authorization.asked) onAnswered();
    if (run.signal.aborted) return failure(call, 'cancelled by the user before it ran', 'cancelled');
    if (!authorization.allowed) return failure(call, authorization.reason, 'denied');
    const approved = await confirm(run, tool, call, prepared, authorization);
    return await execute(run, call, approved);
  } catch (error) {
    return failed(run, call, error);
  }
}

function findTool(run: ToolRun, call: ToolCall): Tool {
  const tool = run.tools.find((candidate) => candidate.name === call.name);
  const names = run.tools.map((candidate) => candidate.name).join(', ');
  if (!tool) throw new ToolError(`unknown tool: ${call.name || '(no name)'}; there are ${names}`);
  if (call.invalid !== undefined) throw new ToolError(`invalid input for ${call.name}: ${call.invalid}`);
  return tool;
}

/** The user took time to answer, so the call must still do what the user allowed. */
async function confirm(
  run: ToolRun,
  tool: Tool,
  call: ToolCall,
  prepared: PreparedCall,
  authorization: Authorization,
): Promise<PreparedCall> {
  if (!authorization.asked) return prepared;
  const again = await tool.prepare(call.input, run.toolContext, run.signal);
  if (hashAction(again.action) === authorization.hash) return again;
  throw new ToolError(
    'not run: what it would do has changed since it was approved; look again and repeat it',
  );
}

async function execute(run: ToolRun, call: ToolCall, prepared: PreparedCall): Promise<ToolResult> {
  const output = await trackChanges(run, call, prepared, () =>
    prepared.execute(run.signal, (stream, text) =>
      run.writer.delta({ type: 'tool_output_delta', id: call.id, stream, text }),
    ),
  );
  if (output.plan) run.writer.stage({ type: 'plan', steps: output.plan });
  const clean = run.withoutSecrets(output.result);
  const result = capResult(clean, run.maxResultChars);
  const seen = output.seen ?? {};
  run.remember(result === clean ? seen : seenInPart(seen));
  const { action } = prepared;
  return {
    type: 'tool_result',
    id: call.id,
    result: JSON.stringify(result),
    isError: false,
    ...(output.seen && { seen: versionsOf(output.seen) }),
    ...('added' in action && { added: action.added, removed: action.removed }),
    ...(output.shown && { shown: output.shown }),
    ...(output.diff && { diff: output.diff }),
  };
}

function versionsOf(seen: NonNullable<ToolOutput['seen']>): Record<string, string> {
  return Object.fromEntries(Object.entries(seen).map(([path, file]) => [path, file.version]));
}

function failed(run: ToolRun, call: ToolCall, error: unknown): ToolResult {
  const known = error instanceof ToolError ? error : undefined;
  const shown = known?.shown && { shown: known.shown };
  if (run.signal.aborted) {
    const why = known ? `: ${known.message}` : '';
    return { ...failure(call, `cancelled by the user${why}`, 'cancelled'), ...shown };
  }
  if (known) return { ...failure(call, known.message), ...shown };
  run.logger.error(
    `The tool ${call.name} failed unexpectedly: ${error instanceof Error ? error.stack : String(error)}`,
  );
  return failure(
    call,
    `internal error in ${call.name}: ${error instanceof Error ? error.message : String(error)}`,
  );
}

function failure(call: ToolCall, message: string, end?: ToolResult['end']): ToolResult {
  return failedToolResult(call.id, message, end);
}

/**
 * Runs the calls of one reply in order. A failure or a message from the user stops the rest. Every call still
 * gets a result, because the API refuses a history with an open call. Resolves with the results.
 */
export async function callTools(run: Run, calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = [];
  let failed: ToolCall | undefined;
  for (const [index, call] of calls.entries()) {
    const unrun = whyNot(run, index, failed);
    const result = unrun ? skip(run, call, ...unrun) : await runToolCall(run, call);
    results.push(result);
    if (!unrun && result.isError) failed = call;
  }
  return results;
}

/** Why the call must not run; undefined if it may. */
function whyNot(
  run: Run,
  index: number,
  failed: ToolCall | undefined,
): readonly [string, 'cancelled' | 'skipped'] | undefined {
  const limit = run.maxToolCallsPerTurn;
  if (run.signal.aborted) return ['cancelled by the user before it ran', 'cancelled'];
  if (failed) return [`skipped: ${failed.name || 'the call'} before it failed`, 'skipped'];
  if (run.steering.isWaiting) return [STEERED, 'skipped'];
  if (index >= limit) return [`skipped: at most ${limit} calls of one reply are run`, 'skipped'];
  return undefined;
}

const STEERED =
  'skipped: the user has sent a message; read it first, then decide whether this is still wanted';

function skip(run: Run, call: ToolCall, message: string, end: 'cancelled' | 'skipped'): ToolResult {
  const result = failedToolResult(call.id, message, end);
  run.writer.stage(result);
  return result;
}

// The log records the state of the files before a call and its changes after it.

/**
 * Runs `execute`, unless the log cannot record what it is about to change. Logs the changes even if it fails.
 */
export async function trackChanges<Output>(
  run: ToolRun,
  { id }: ToolCall,
  { touches, action }: PreparedCall,
  execute: () => Promise<Output>,
): Promise<Output> {
  const { signal } = run;
  // A scan of the workspace may take seconds.
  if (touches === 'workspace') await run.writer.flush();
  const tracked = await run.changes
    .begin(touches, { call: id, signal })
    .catch((error: Error) => refuse(run, error));
  const files = [...tracked.before].map(([path, state]) => ({ path, state }));
  const checkpoint: EventDraft[] = files.length > 0 ? [{ type: 'checkpoint', id, files }] : [];
  await run.writer.append(...checkpoint, { type: 'tool_started', id });
  try {
    if (action.kind !== 'read') await keepIntent(run);
    return await execute();
  } finally {
    const { changes, uncovered, trouble } = await toldChanges(() => tracked.changes());
    if (changes.length > 0 || uncovered !== undefined) {
      const told = uncovered !== undefined && { uncovered };
      await run.writer.append({ type: 'files_changed', id, by: 'tool', changes: [...changes], ...told });
    }
    if (trouble !== undefined) await run.writer.append({ type: 'notice', message: trouble });
  }
}

function refuse({ signal }: ToolRun, error: Error): never {
  if (signal.aborted) throw new ToolError('stopped; nothing was changed', { cause: error });
  throw new ToolError(
    `not run: what it is about to change could not be kept, so it could not be undone: ${error.message}`,
    { cause: error },
  );
}

/**
 * Syncs the log before a call that may have effects, so the next process knows of it even if this one dies.
 * Rejects with `ToolError` if it cannot.
 */
async function keepIntent(run: ToolRun): Promise<void> {
  await run.writer.sync().catch((error: unknown) => {
    throw new ToolError(
      `not run: the session’s log cannot be written (${error instanceof Error ? error.message : String(error)}), and nothing is changed without it; the user must fix that first`,
    );
  });
}
