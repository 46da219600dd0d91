import type { EventDraft, EventOf } from '../../protocol/events.ts';

export type ToolResult = Extract<EventDraft, { type: 'tool_result' }>;

/** The result of a call that failed or was never run: an error that the model reads. */
export function failedToolResult(
  id: string,
  message: string,
  end?: EventOf<'tool_result'>['end'],
): ToolResult {
  return {
    type: 'tool_result',
    id,
    result: JSON.stringify({ error: message }),
    isError: true,
    ...(end && { end }),
  };
}
