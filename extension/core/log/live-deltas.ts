// The state of a growing reply, for a panel that opens in the middle of it.
import type { Delta } from '../../protocol/delta.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { cutAfter } from '../base/text/terminal-codes.ts';

/**
 * Characters of a command's live output that are stored: the newest. Harness cuts it again after as many more
 * have arrived.
 */
const KEPT_OUTPUT = 32_000;

type TextDelta = Extract<Delta, { text: string }>;

/** Joins `next` to `last`, or returns undefined if they belong to different blocks or outputs. */
export function joinDeltas(last: Delta, next: Delta): Delta | undefined {
  if (last.type === 'tool_input_delta')
    return next.type === last.type && next.id === last.id ? next : undefined;
  if (next.type === 'tool_input_delta' || !sameStream(last, next)) return undefined;
  return { ...last, text: last.text + next.text };
}

function sameStream(last: TextDelta, next: TextDelta): boolean {
  if (last.type !== 'tool_output_delta' || next.type !== 'tool_output_delta') return last.type === next.type;
  return last.id === next.id && last.stream === next.stream;
}

/**
 * `deltas` with at most the newest `limit` characters of command output. It may be fewer, because no terminal
 * code is cut.
 */
export function newestOutput(deltas: readonly Delta[], limit: number): Delta[] {
  let room = limit;
  const newestFirst = deltas.toReversed().flatMap((delta): Delta[] => {
    if (delta.type !== 'tool_output_delta') return [delta];
    const { text } = delta;
    const start = text.length > room ? cutAfter(text, text.length - room) : 0;
    room = start > 0 ? 0 : room - text.length;
    return start < text.length ? [{ ...delta, text: text.slice(start) }] : [];
  });
  return newestFirst.reverse();
}

/** A fold over deltas and events: the joined deltas of blocks and outputs that no event has completed yet. */
export class LiveDeltas {
  #deltas: Delta[] = [];
  /** Characters of output since the last cut. */
  #arrived = 0;

  get deltas(): readonly Delta[] {
    return this.#deltas;
  }

  onDelta(delta: Delta): void {
    const last = this.#deltas.at(-1);
    const joined = last && joinDeltas(last, delta);
    if (joined) this.#deltas[this.#deltas.length - 1] = joined;
    else this.#deltas.push(delta);
    if (delta.type === 'tool_output_delta') this.#bound(delta.text.length);
  }

  onEvents(events: readonly SessionEvent[]): void {
    for (const event of events) {
      if (this.#deltas.length === 0) return;
      this.#deltas = this.#deltas.filter((delta) => !completes(event, delta));
    }
  }

  #bound(arrived: number): void {
    this.#arrived += arrived;
    if (this.#arrived <= KEPT_OUTPUT) return;
    this.#deltas = newestOutput(this.#deltas, KEPT_OUTPUT);
    this.#arrived = 0;
  }
}

/** `event` makes `delta` obsolete. */
export function completes(event: SessionEvent, delta: Delta): boolean {
  switch (event.type) {
    case 'text':
      return delta.type === 'text_delta';
    case 'reasoning':
      return delta.type === 'reasoning_delta';
    case 'tool_call':
      return delta.type === 'tool_input_delta' && delta.id === event.id;
    case 'tool_result':
      return delta.type === 'tool_output_delta' && delta.id === event.id;
    case 'request_ended':
      return delta.type !== 'tool_output_delta';
    case 'turn_ended':
      return true;
    default:
      return false;
  }
}
