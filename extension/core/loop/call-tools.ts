import type { ToolCall } from './reply.ts';
import type { Run } from './run.ts';
import { runToolCall } from './run-tool-call.ts';
import { toolFailure } from './tool-failure.ts';

/**
 * Runs the calls of one reply, one after the other. The first failure stops the rest, as does a message of the user; every
 * call is answered all the same, since the API refuses a history with an open call.
 */
export async function callTools(run: Run, calls: readonly ToolCall[]): Promise<void> {
  const limit = run.maxToolCallsPerTurn;
  let failed: ToolCall | undefined;
  for (const [index, call] of calls.entries()) {
    if (run.signal.aborted) await skip(run, call, 'cancelled by the user before it ran', 'cancelled');
    else if (failed)
      await skip(run, call, `skipped: ${failed.name || 'the call'} before it failed`, 'skipped');
    else if (run.steering.isWaiting) await skip(run, call, STEERED, 'skipped');
    else if (index >= limit)
      await skip(run, call, `skipped: at most ${limit} calls of one reply are run`, 'skipped');
    else if (!(await runToolCall(run, call))) failed = call;
  }
}

const STEERED =
  'skipped: the user has sent a message; read it first, then decide whether this is still wanted';

async function skip(run: Run, call: ToolCall, message: string, end: 'cancelled' | 'skipped'): Promise<void> {
  await run.recorder.append(toolFailure(call.id, message, end));
}
