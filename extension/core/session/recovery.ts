// What the death of a process left open is closed, so that the session can go on. Nothing is run again.

import type { EventDraft, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';

/** Why a run has no end in the log. */
export interface Interruption {
  /** For the model, as in "interrupted: CAUSE while this ran". */
  readonly cause: string;
  /** What the reader is told. */
  readonly told: EventDraft;
}

const CLOSED: Interruption = {
  cause: 'the editor was closed',
  told: { type: 'notice', message: say('Harness was closed while this was running. Nothing was run again.') },
};

/** The events that end what `past` left open: results for open calls, the end of the reply and of the turn. */
export function closeInterrupted(
  past: readonly SessionEvent[],
  { cause, told }: Interruption = CLOSED,
): readonly EventDraft[] {
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
  const drafts: EventDraft[] = [...calls].map((id) => interruptedResult(id, cause, started.has(id)));
  if (request !== undefined)
    drafts.push({ type: 'request_ended', request, outcome: 'cancelled', stop: 'interrupted' });
  if (turn !== undefined) {
    drafts.push(
      told,
      { type: 'status', state: 'idle', message: '' },
      { type: 'turn_ended', turn, reason: 'error' },
    );
  }
  return drafts;
}

function interruptedResult(id: string, cause: string, started: boolean): EventDraft {
  const error = started
    ? `interrupted: ${cause} while this ran; it may have had effects, check before you repeat it`
    : `interrupted: ${cause} before this ran`;
  return { type: 'tool_result', id, result: JSON.stringify({ error }), isError: true, end: 'interrupted' };
}
