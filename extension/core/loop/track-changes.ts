// The log records the state of the files before a call and its changes after it.
import type { EventDraft } from '../../protocol/events.ts';
import { ToolError } from '../base/tool-error.ts';
import { changeEvents } from '../checkpoints/change-events.ts';
import { settledChanges, type TrackedCall } from '../checkpoints/change-tracker.ts';
import type { PreparedCall } from '../tools/common/tool.ts';
import type { ToolCall } from './reply.ts';
import type { ToolRun } from './run.ts';

/**
 * Runs `execute`, unless the log cannot record what it is about to change. Logs the changes even if it fails.
 */
export async function trackChanges<Output>(
  run: ToolRun,
  { id }: ToolCall,
  { touches, action }: PreparedCall,
  execute: () => Promise<Output>,
): Promise<Output> {
  const { background } = run.toolContext;
  const tracked = await begin(run, id, touches);
  const files = [...tracked.before].map(([path, state]) => ({ path, state }));
  const checkpoint: EventDraft[] = files.length > 0 ? [{ type: 'checkpoint', id, files }] : [];
  await run.writer.append(...checkpoint, { type: 'tool_started', id });
  try {
    if (action.kind !== 'read') await keepIntent(run);
    return await execute();
  } finally {
    if (!background?.follow(id, tracked)) {
      const events = changeEvents(id, await settledChanges(() => tracked.changes()));
      if (events.length > 0) await run.writer.append(...events);
    }
  }
}

/** What the commands in the background have changed until then comes first in the log. */
async function begin(run: ToolRun, call: string, touches: PreparedCall['touches']): Promise<TrackedCall> {
  const { signal, toolContext, writer, changes } = run;
  const { background } = toolContext;
  const isCommand = touches === 'workspace';
  // A scan of the workspace may take seconds.
  if (isCommand) await writer.flush();
  if (touches) await (isCommand ? background?.changesReported() : background?.reportChanges());
  const tracked = await changes.begin(touches, { call, signal }).catch((error: Error) => refuse(run, error));
  if (isCommand) await background?.reportChanges();
  return tracked;
}

function refuse({ signal }: ToolRun, error: Error): never {
  if (signal.aborted)
    throw new ToolError('stopped; nothing was changed', { code: 'cancelled', cause: error });
  throw new ToolError(
    `not run: what it is about to change could not be kept, so it could not be undone: ${error.message}`,
    { code: 'io', cause: error },
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
      { code: 'io' },
    );
  });
}
