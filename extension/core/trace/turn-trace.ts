import type { Clock } from '../ports/clock.ts';
import type { Message, ModelEvent, Turn, UserBlock } from '../ports/model.ts';
import type { TraceRecord, TraceSink, TurnOutcome } from '../ports/trace-sink.ts';
import type { WireHooks } from '../ports/wire-hooks.ts';
import { HeldRecords } from './held-records.ts';
import { Redactor } from './redactor.ts';

type Content = TraceRecord extends infer One ? (One extends TraceRecord ? Omit<One, 'ts'> : never) : never;

/** The log of one turn, from what it is asked to its end. */
export class TurnLog {
  readonly #records: HeldRecords;
  readonly #clock: Clock;
  readonly #began: number;
  #lastEvent: number;
  #usage: Extract<ModelEvent, { type: 'usage' }>['usage'] | undefined;
  #outcome: TurnOutcome | undefined;

  constructor(sink: TraceSink, clock: Clock, secrets: readonly string[]) {
    this.#records = new HeldRecords(sink.open(), new Redactor(secrets));
    this.#clock = clock;
    this.#began = clock.monotonic();
    this.#lastEvent = this.#began;
  }

  start(provider: string, turn: Turn): void {
    const messages = turn.messages.map(withoutImages);
    this.#add({ type: 'turn_start', version: 1, provider, turn: { ...turn, messages } });
  }

  event({ type: kind, ...fields }: ModelEvent): void {
    if ('usage' in fields) this.#usage = fields.usage;
    if (kind === 'done' || kind === 'error') this.#outcome = kind;
    const now = this.#clock.monotonic();
    this.#add({ type: 'event', kind, ...fields, latency_ms: Math.round(now - this.#lastEvent) });
    this.#lastEvent = now;
  }

  /** `ifUnfinished`: how it ended where its last event has not come. */
  end(ifUnfinished: TurnOutcome): void {
    const total_ms = Math.round(this.#clock.monotonic() - this.#began);
    this.#add({ type: 'turn_end', outcome: this.#outcome ?? ifUnfinished, usage: this.#usage, total_ms });
    this.#records.close();
  }

  /** Write down what goes over the wire, and tell `others` too. */
  hooks(others: WireHooks = {}): WireHooks {
    const decoder = new TextDecoder();
    return {
      onRequest: (request) => {
        this.#add({ type: 'request', request });
        others.onRequest?.(request);
      },
      onResponse: (response) => {
        this.#add({ type: 'response', response });
        others.onResponse?.(response);
      },
      onWire: (bytes) => {
        this.#add({ type: 'wire', text: decoder.decode(bytes, { stream: true }) });
        others.onWire?.(bytes);
      },
      onRawEvent: (event) => {
        this.#add({ type: 'raw_event', event });
        others.onRawEvent?.(event);
      },
    };
  }

  #add(content: Content): void {
    // Each content with a time is a record.
    this.#records.add({ ts: new Date(this.#clock.now()).toISOString(), ...content } as TraceRecord);
  }
}

/** Their bytes are in the session's folder. */
function withoutImages(message: Message): Message {
  if (message.role !== 'user') return message;
  return { role: 'user', content: message.content.map(withoutData) };
}

function withoutData(block: UserBlock): UserBlock {
  if (block.type !== 'image') return block;
  const { data: _, ...rest } = block;
  return rest;
}
