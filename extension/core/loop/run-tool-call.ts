// One call: schema → permission → execute → result. The only place that catches what a tool throws.
import { hashAction } from '../permission/action.ts';
import type { Authorization } from '../permission/gate.ts';
import { capResult } from '../tools/cap-result.ts';
import { seenInPart } from '../tools/seen-file.ts';
import { type PreparedCall, type Tool, ToolError, type ToolOutput } from '../tools/tool.ts';
import { recordChanges } from './record-changes.ts';
import type { ToolCall } from './reply.ts';
import type { ToolRun } from './run.ts';
import { summarizeCall } from './summarize-call.ts';
import { type ToolResult, toolFailure } from './tool-failure.ts';

/** Its result is in the log when this resolves. */
export async function runToolCall(run: ToolRun, call: ToolCall): Promise<ToolResult> {
  const message = summarizeCall(call, run.withoutSecrets);
  await run.recorder.append({ type: 'status', state: 'running_tool', message });
  let started = run.clock.monotonic();
  const result = await resultOf(run, call, () => {
    started = run.clock.monotonic();
  });
  const milliseconds = Math.round(run.clock.monotonic() - started);
  await run.recorder.append({ ...result, milliseconds });
  return result;
}

/** `onAnswered`: a person was asked, and has answered. */
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

/** Time has passed while a person was asked: what runs must still be what they allowed. */
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
  const output = await recordChanges(run, call, prepared, () =>
    prepared.execute(run.signal, (stream, text) =>
      run.recorder.delta({ type: 'tool_output_delta', id: call.id, stream, text }),
    ),
  );
  if (output.plan) await run.recorder.append({ type: 'plan', steps: output.plan });
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
  return toolFailure(call.id, message, end);
}
