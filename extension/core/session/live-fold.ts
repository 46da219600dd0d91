// What is still growing: the picture that a panel needs which comes in the middle of a reply.
import type { Delta, SessionEvent } from '../../protocol/events.ts';

/** Characters of a command's live output that are kept; the newest. */
const MAX_OUTPUT = 64_000;

type TextDelta = Extract<Delta, { text: string }>;

/** `next` put behind `last` as one delta, or undefined where they belong to different things. */
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

/** A fold over deltas and events: the deltas of blocks and outputs that no event has completed yet, joined. */
export class LiveFold {
  #deltas: Delta[] = [];

  get deltas(): readonly Delta[] {
    return this.#deltas;
  }

  onDelta(delta: Delta): void {
    const last = this.#deltas.at(-1);
    const joined = last && joinDeltas(last, delta);
    if (joined) this.#deltas[this.#deltas.length - 1] = bounded(joined);
    else this.#deltas.push(delta);
  }

  onEvents(events: readonly SessionEvent[]): void {
    for (const event of events) {
      if (this.#deltas.length === 0) return;
      this.#deltas = this.#deltas.filter((delta) => !completes(event, delta));
    }
  }
}

/** Whoever has seen `event` needs `delta` no more. */
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

function bounded(delta: Delta): Delta {
  if (delta.type !== 'tool_output_delta' || delta.text.length <= MAX_OUTPUT) return delta;
  return { ...delta, text: delta.text.slice(-MAX_OUTPUT / 2) };
}
