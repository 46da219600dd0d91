// What a call changes stands in the log around it: before it what it finds, behind it what it has made of that.
import type { EventDraft } from '../../protocol/events.ts';
import { toldChanges } from '../files/change-tracker.ts';
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
  const { signal } = run;
  const tracked = await run.changes
    .begin(touches, { call: id, signal })
    .catch((error: Error) => refuse(run, error));
  const files = [...tracked.before].map(([path, state]) => ({ path, state }));
  const checkpoint: EventDraft[] = files.length > 0 ? [{ type: 'checkpoint', id, files }] : [];
  await run.recorder.append(...checkpoint, { type: 'tool_started', id });
  try {
    if (action.kind !== 'read') await keepIntent(run);
    return await execute();
  } finally {
    const { changes, uncovered, trouble } = await toldChanges(() => tracked.changes());
    if (changes.length > 0 || uncovered !== undefined) {
      const told = uncovered !== undefined && { uncovered };
      await run.recorder.append({ type: 'files_changed', id, by: 'tool', changes: [...changes], ...told });
    }
    if (trouble !== undefined) await run.recorder.append({ type: 'notice', message: trouble });
  }
}

function refuse({ signal }: ToolRun, error: Error): never {
  if (signal.aborted) throw new ToolError('stopped; nothing was changed', { cause: error });
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
