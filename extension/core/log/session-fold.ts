import type { SessionEvent } from '../../protocol/events.ts';
import { EventBuffer } from './event-buffer.ts';
import { SeenFilesFold } from './seen-files.ts';
import { Transcript } from './transcript.ts';

/** What a continuing session must know from its log. */
export class SessionFold {
  readonly transcript = new Transcript();
  readonly seen = new SeenFilesFold();
  readonly #held = new EventBuffer();
  /** Numbers of the newest run and request; 0 before the first. */
  turn = 0;
  request = 0;
  readonly #callIds = new Set<string>();

  /** All events in order; the older ones of a long log are elided. */
  get events(): readonly SessionEvent[] {
    return this.#held.all;
  }

  apply(events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.#held.push(event);
      this.transcript.apply(event);
      this.seen.apply(event);
      if (event.type === 'turn_started') this.turn = event.turn;
      if (event.type === 'request_started') this.request = event.request;
      if (event.type === 'tool_call') this.#callIds.add(event.id);
    }
  }

  /** `id`, or a variant of it that no call of the session has. */
  uniqueCallId(id: string): string {
    return uniqueCallId(id, this.#callIds);
  }
}

/**
 * `id`, or a variant of it that is not taken. Some models repeat ids, and APIs refuse a history with
 * duplicates.
 */
export function uniqueCallId(id: string, taken: ReadonlySet<string>): string {
  const wanted = id || 'call';
  let unique = wanted;
  for (let n = 2; taken.has(unique); n++) unique = `${wanted}_${n}`;
  return unique;
}
