// Closes what a dead process left open, so that the session can continue. Nothing is run again.

import type { EventDraft, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';

/** Why a run has no end in the log. */
export interface Interruption {
  /** For the model, as in "interrupted: CAUSE while this ran". */
  readonly cause: string;
  /** The notice for the user. */
  readonly notice: EventDraft;
}

const CLOSED: Interruption = {
  cause: 'Harness was closed',
  notice: {
    type: 'notice',
    message: say('Harness was closed while this was running. It was not run again.'),
  },
};

/** The events that end what `past` left open. */
export function closeOpenEvents(past: readonly SessionEvent[]): readonly EventDraft[] {
  const open = new OpenEnds();
  for (const event of past) open.apply(event);
  return open.close();
}

/** Folds a log and finds what is open at its end. */
export class OpenEnds {
  #turn: number | undefined;
  #request: number | undefined;
  readonly #calls = new Set<string>();
  readonly #started = new Set<string>();

  apply(event: SessionEvent): void {
    if (event.type === 'turn_started') this.#turn = event.turn;
    else if (event.type === 'turn_ended') this.#turn = undefined;
    else if (event.type === 'request_started') this.#request = event.request;
    else if (event.type === 'request_ended') this.#request = undefined;
    else if (event.type === 'tool_call') {
      this.#calls.add(event.id);
      this.#started.delete(event.id);
    } else if (event.type === 'tool_started') this.#started.add(event.id);
    else if (event.type === 'tool_result') this.#calls.delete(event.id);
  }

  /** Returns results for open calls, and the ends of the reply and the turn. */
  close({ cause, notice }: Interruption = CLOSED): readonly EventDraft[] {
    const [request, turn] = [this.#request, this.#turn];
    return [
      ...[...this.#calls].map((id) => interruptedResult(id, cause, this.#started.has(id))),
      ...(request === undefined ? [] : [replyEnd(request)]),
      ...(turn === undefined ? [] : [notice, IDLE, { type: 'turn_ended', turn, reason: 'error' } as const]),
    ];
  }
}

const IDLE = { type: 'status', state: 'idle', message: '' } as const;

function replyEnd(request: number): EventDraft {
  return { type: 'request_ended', request, outcome: 'cancelled', stop: 'interrupted' };
}

function interruptedResult(id: string, cause: string, started: boolean): EventDraft {
  const error = started
    ? `interrupted: ${cause} while this ran; it may have had effects, check before you repeat it`
    : `interrupted: ${cause} before this ran`;
  return {
    type: 'tool_result',
    id,
    result: JSON.stringify({ error, code: 'cancelled' }),
    isError: true,
    end: 'interrupted',
  };
}
