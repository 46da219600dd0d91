// What the death of a process left open is closed, so that the session can go on. Nothing is run again.
import type { EventDraft, SessionEvent } from '../../protocol/events.ts';

/** The events that end what `past` left open: results for open calls, the end of the reply and of the turn. */
export function closeInterrupted(past: readonly SessionEvent[]): readonly EventDraft[] {
  let turn: number | undefined;
  let request: number | undefined;
  const calls = new Set<string>();
  const started = new Set<string>();
  for (const event of past) {
    if (event.type === 'turn_started') turn = event.turn;
    else if (event.type === 'turn_ended') turn = undefined;
    else if (event.type === 'request_started') request = event.request;
    else if (event.type === 'request_ended') request = undefined;
    else if (event.type === 'tool_call') {
      calls.add(event.id);
      started.delete(event.id);
    } else if (event.type === 'tool_started') started.add(event.id);
    else if (event.type === 'tool_result') calls.delete(event.id);
  }
  const drafts: EventDraft[] = [...calls].map((id) => interruptedResult(id, started.has(id)));
  if (request !== undefined)
    drafts.push({ type: 'request_ended', request, outcome: 'cancelled', stop: 'interrupted' });
  if (turn !== undefined) {
    drafts.push({
      type: 'notice',
      message: 'Harness was closed while this was running. Nothing was run again.',
    });
    drafts.push(
      { type: 'status', state: 'idle', message: '' },
      { type: 'turn_ended', turn, reason: 'error' },
    );
  }
  return drafts;
}

function interruptedResult(id: string, started: boolean): EventDraft {
  const error = started
    ? 'interrupted: the editor was closed while this ran; it may have had effects, check before you repeat it'
    : 'interrupted: the editor was closed before this ran';
  return { type: 'tool_result', id, result: JSON.stringify({ error }), isError: true, end: 'interrupted' };
}
