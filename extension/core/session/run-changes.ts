import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { summarizeCall } from '../loop/summarize-call.ts';

/** What one run has done to the workspace. */
export interface RunChanges {
  readonly turn: number;
  /** Ids of the calls that changed the text of a file, in order. */
  readonly edits: readonly string[];
  /** The other calls that may have changed something, one line each. */
  readonly others: readonly string[];
}

/** Tools whose effects are not a text before and a text after. */
const opaqueTools = new Set(['bash', 'move']);

/** Of each run in the log that may have changed something, oldest first. */
export function changesOfRuns(events: readonly SessionEvent[]): readonly RunChanges[] {
  const runs: { turn: number; edits: string[]; others: string[] }[] = [];
  const calls = new Map<string, EventOf<'tool_call'>>();
  for (const event of events) {
    const run = runs.at(-1);
    if (event.type === 'turn_started') runs.push({ turn: event.turn, edits: [], others: [] });
    else if (event.type === 'tool_call') calls.set(event.id, event);
    else if (event.type === 'tool_result' && !event.isError && event.added !== undefined)
      run?.edits.push(event.id);
    else if (event.type === 'tool_started') {
      const call = calls.get(event.id);
      if (call && opaqueTools.has(call.name)) run?.others.push(summarizeCall(call));
    }
  }
  return runs.filter(({ edits, others }) => edits.length + others.length > 0);
}
