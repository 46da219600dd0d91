// One call: schema → permission → execute → result. The only place that catches what a tool throws.
import { ToolError, type ToolErrorCode } from '../base/tool-error.ts';
import { summarizeCall } from '../log/summarize-call.ts';
import { hashAction } from '../permission/action.ts';
import type { Authorization, UserQuestion } from '../permission/gate.ts';
import type { OutputStream } from '../ports/shell.ts';
import { capLines, capResult } from '../tools/common/cap-result.ts';
import { RefusedEdit } from '../tools/common/seen-file.ts';
import type { PreparedCall, Tool } from '../tools/common/tool.ts';
import type { ToolCall } from './reply.ts';
import { ResultBudget } from './result-budget.ts';
import type { ToolRun } from './run.ts';
import { failedToolResult, type ToolResult } from './tool-failure.ts';
import { type FinishedCall, stageResult } from './tool-result.ts';
import { trackChanges } from './track-changes.ts';
import { watchProblems } from './watch-problems.ts';

/** Executes the call that was allowed. Never rejects. */
type AllowedCall = () => Promise<FinishedCall>;

/** Resolves when the result is staged; the next append writes it. */
export async function runToolCall(run: ToolRun, call: ToolCall): Promise<ToolResult> {
  const execute = await authorizeCall(run, call);
  return stageResult(run, call, await execute(), new ResultBudget());
}

/**
 * Resolves when the gate has decided. If the call may not run, the returned function gives the result that
 * says why. Never rejects.
 */
export async function authorizeCall(run: ToolRun, call: ToolCall): Promise<AllowedCall> {
  const message = summarizeCall(call, run.withoutSecrets);
  run.writer.stage({ type: 'status', state: 'running_tool', message });
  try {
    const tool = findTool(run, call);
    const prepared = await tool.prepare(call.input, run.toolContext, run.signal);
    const { action, previews = [] } = prepared;
    const request = { id: call.id, tool: call.name, action, previews };
    const authorization = await run.gate.authorize(request, run.signal);
    if (run.signal.aborted)
      return finished(
        failure(call, 'cancelled by the user before it ran', 'cancelled', { end: 'cancelled' }),
      );
    if (!authorization.allowed)
      return finished(failure(call, authorization.reason, 'denied', { end: 'denied' }));
    const approved = await confirm(run, tool, call, prepared, authorization);
    return approved.question
      ? await asking(run, call, approved, approved.question)
      : allowed(run, call, approved);
  } catch (error) {
    return finished(failed(run, call, error));
  }
}

function allowed(run: ToolRun, call: ToolCall, prepared: PreparedCall, answer?: string): AllowedCall {
  const attempt = () => execute(run, call, prepared, answer).catch((error) => failed(run, call, error));
  return () => timed(run, attempt);
}

/** The call that has its answer, or the result that says why there is none. */
async function asking(
  run: ToolRun,
  call: ToolCall,
  prepared: PreparedCall,
  question: UserQuestion,
): Promise<AllowedCall> {
  const reply = await run.gate.askUser({ id: call.id, tool: call.name }, question, run.signal);
  if (run.signal.aborted)
    return finished(
      failure(call, 'cancelled by the user before an answer', 'cancelled', { end: 'cancelled' }),
    );
  if ('reason' in reply) return finished(failure(call, reply.reason, 'denied', { end: 'denied' }));
  return allowed(run, call, prepared, reply.answer);
}

function finished(call: FinishedCall): AllowedCall {
  return async () => call;
}

async function timed({ clock }: ToolRun, execute: AllowedCall): Promise<FinishedCall> {
  const started = clock.monotonic();
  const { event, ...rest } = await execute();
  return { event: { ...event, milliseconds: Math.round(clock.monotonic() - started) }, ...rest };
}

function findTool(run: ToolRun, call: ToolCall): Tool {
  const tool = run.tools.find((candidate) => candidate.name === call.name);
  const names = run.tools.map((candidate) => candidate.name).join(', ');
  if (!tool)
    throw new ToolError(`unknown tool: ${call.name || '(no name)'}; there are ${names}`, {
      code: 'not_found',
    });
  if (call.invalid !== undefined)
    throw new ToolError(`invalid input for ${call.name}: ${call.invalid}`, { code: 'invalid_input' });
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
    { code: 'conflict' },
  );
}

async function execute(
  run: ToolRun,
  call: ToolCall,
  prepared: PreparedCall,
  answer: string | undefined,
): Promise<FinishedCall> {
  const onOutput = (stream: OutputStream, text: string) =>
    run.writer.delta({ type: 'tool_output_delta', id: call.id, stream, text });
  const problems = watchProblems(run, prepared);
  const output = await trackChanges(run, call, prepared, () =>
    run.running.during({ id: call.id, answer }, (live) => prepared.execute(run.signal, onOutput, live)),
  );
  if (output.plan) run.writer.stage({ type: 'plan', steps: output.plan });
  const clean = run.withoutSecrets({ ...output.result, ...(await problems()) });
  const cap = call.name === 'read' ? capLines : capResult;
  const stored = cap(clean, run.maxResultChars);
  const { action } = prepared;
  const event: ToolResult = {
    type: 'tool_result',
    id: call.id,
    result: JSON.stringify(stored),
    isError: false,
    ...(output.attachments && { attachments: [...output.attachments] }),
    ...('added' in action && { added: action.added, removed: action.removed }),
    ...(output.shown && { shown: output.shown }),
    ...(output.diff && { diff: output.diff }),
  };
  const whole = stored !== clean && { whole: JSON.stringify(clean) };
  return { event, seen: output.seen, rest: output.rest, ...whole };
}

function failed(run: ToolRun, call: ToolCall, error: unknown): FinishedCall {
  const known = error instanceof ToolError ? error : undefined;
  if (run.signal.aborted) {
    const why = known ? `: ${known.message}` : '';
    return failure(call, `cancelled by the user${why}`, 'cancelled', {
      end: 'cancelled',
      shown: known?.shown,
    });
  }
  if (known)
    return {
      ...failure(call, known.message, known.code, { shown: known.shown }),
      ...(known instanceof RefusedEdit && { seen: known.seen }),
    };
  run.logger.error(
    `The tool ${call.name} failed unexpectedly: ${error instanceof Error ? error.stack : String(error)}`,
  );
  return failure(
    call,
    `internal error in ${call.name}: ${error instanceof Error ? error.message : String(error)}`,
    'internal',
  );
}

function failure(
  call: ToolCall,
  message: string,
  code: ToolErrorCode,
  { end, shown }: Pick<ToolResult, 'end' | 'shown'> = {},
): FinishedCall {
  return { event: { ...failedToolResult(call.id, message, code, end), ...(shown && { shown }) } };
}
