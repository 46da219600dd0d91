// A conversation in short, once as the panel shows it and once as the log tells it.
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import type { ShownPart } from './harness-panel.ts';

export function outlineOfParts(parts: readonly ShownPart[]): string[] {
  return parts
    .filter(({ kind }) => kind !== 'header')
    .map(({ kind, tool, state, text }) => (tool ? `tool ${tool} ${state}` : `${kind} ${lettersOf(text)}`));
}

/** Of a session without retries, errors and notices. */
export function outlineOfEvents(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'user' || event.type === 'text') return [`${event.type} ${lettersOf(event.content)}`];
    return event.type === 'tool_call' ? [`tool ${event.name} ${stateOf(event.id, events)}`] : [];
  });
}

function stateOf(id: string, events: readonly SessionEvent[]): string {
  const result = events.find((event) => event.type === 'tool_result' && event.id === id);
  if (result?.type !== 'tool_result') return 'running';
  if (result.end === 'interrupted') return 'cancelled';
  return result.end ?? (result.isError ? 'error' : 'done');
}

/** Without marks and spaces, which markdown shows in its own way. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
