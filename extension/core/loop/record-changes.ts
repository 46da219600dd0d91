// What a call changes stands in the log around it: before it what it finds, behind it what it has made of that.
import type { EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { Changes, TrackedCall } from '../files/change-tracker.ts';
import { type PreparedCall, ToolError } from '../tools/tool.ts';
import type { ToolCall } from './reply.ts';
import type { ToolRun } from './run.ts';

/** Runs `execute`, which is not begun where the log cannot say what it is about to change. What it changed is told also where it fails. */
export async function recordChanges<Output>(
  run: ToolRun,
  { id }: ToolCall,
  { touches, action }: PreparedCall,
  execute: () => Promise<Output>,
): Promise<Output> {
  const tracked = await run.changes.begin(touches).catch(refuse);
  const files = [...tracked.before].map(([path, state]) => ({ path, state }));
  const checkpoint: EventDraft[] = files.length > 0 ? [{ type: 'checkpoint', id, files }] : [];
  await run.recorder.append(...checkpoint, { type: 'tool_started', id });
  try {
    if (action.kind !== 'read') await keepIntent(run);
    return await execute();
  } finally {
    const { changes, uncovered } = await changesOf(run, tracked);
    if (changes.length > 0 || uncovered !== undefined) {
      const told = uncovered !== undefined && { uncovered };
      await run.recorder.append({ type: 'files_changed', id, by: 'tool', changes: [...changes], ...told });
    }
  }
}

function refuse(error: Error): never {
  throw new ToolError(
    `not run: what it is about to change could not be kept, so it could not be undone: ${error.message}`,
    { cause: error },
  );
}

/** What may have effects is known to the next process, whatever becomes of this one. Rejects with `ToolError` where it would not be. */
async function keepIntent(run: ToolRun): Promise<void> {
  await run.recorder.sync().catch((error: unknown) => {
    throw new ToolError(
      `not run: the session’s log cannot be written (${error instanceof Error ? error.message : String(error)}), and nothing is changed without it; the user has to mend that first`,
    );
  });
}

async function changesOf({ logger }: ToolRun, tracked: TrackedCall): Promise<Changes> {
  try {
    return await tracked.changes();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.error(`What a call has changed was not found out: ${reason}`);
    return { changes: [], uncovered: say('What it changed could not be kept: {0}', reason) };
  }
}
