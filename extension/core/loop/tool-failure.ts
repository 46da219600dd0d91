import type { EventDraft, EventOf } from '../../protocol/events.ts';
import type { ToolErrorCode } from '../base/tool-error.ts';

export type ToolResult = Extract<EventDraft, { type: 'tool_result' }>;

/** The result of a call that failed or was never run: an error that the model reads. */
export function failedToolResult(
  id: string,
  message: string,
  code: ToolErrorCode,
  end?: EventOf<'tool_result'>['end'],
): ToolResult {
  return {
    type: 'tool_result',
    id,
    result: JSON.stringify({ error: message, code }),
    isError: true,
    ...(end && { end }),
  };
}
