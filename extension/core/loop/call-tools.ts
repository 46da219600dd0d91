import type { ToolCall } from './reply.ts';
import type { Run } from './run.ts';
import { runToolCall } from './run-tool-call.ts';
import { type ToolResult, toolFailure } from './tool-failure.ts';

/**
 * Runs the calls of one reply, one after the other. The first failure stops the rest, as does a message of the user; every
 * call is answered all the same, since the API refuses a history with an open call. Resolves with their results.
 */
export async function callTools(run: Run, calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = [];
  let failed: ToolCall | undefined;
  for (const [index, call] of calls.entries()) {
    const unrun = whyNot(run, index, failed);
    const result = unrun ? await skip(run, call, ...unrun) : await runToolCall(run, call);
    results.push(result);
    if (!unrun && result.isError) failed = call;
  }
  return results;
}

/** Why the call is not to be run, where it is not. */
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

async function skip(
  run: Run,
  call: ToolCall,
  message: string,
  end: 'cancelled' | 'skipped',
): Promise<ToolResult> {
  const result = toolFailure(call.id, message, end);
  await run.recorder.append(result);
  return result;
}
