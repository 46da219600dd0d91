import type { Clock } from '../ports/clock.ts';
import type { Message, ModelEvent, Turn, UserBlock } from '../ports/model.ts';
import type { TraceRecord, TraceSink, TurnOutcome, TurnSink } from '../ports/trace-sink.ts';
import type { WireHooks } from '../ports/wire-hooks.ts';
import { HeldWrites } from '../secrets/held-writes.ts';
import { withoutForms } from '../secrets/key-redaction.ts';
import { MaskedBody } from '../secrets/masked-body.ts';
import { MaskedData, MaskedWords } from '../secrets/masked-pieces.ts';
import type { HeldPiece } from '../secrets/masked-text.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { maskPolicy } from '../secrets/streaming-filter.ts';

type Content = TraceRecord extends infer One ? (One extends TraceRecord ? Omit<One, 'ts'> : never) : never;

/** Hides also what is too short for a secret in the log, but looks like a key. */
class TraceSecrets extends SecretFilter {
  override text(text: string): string {
    return withoutForms(super.text(text), []);
  }
}

/** The log of one turn, from what it is asked to its end. A secret that comes in pieces is hidden in each of them. */
export class TurnLog {
  readonly #sink: TurnSink;
  readonly #secrets: TraceSecrets;
  readonly #writes = new HeldWrites();
  readonly #words: MaskedWords;
  readonly #wire: MaskedBody;
  readonly #rawEvents: MaskedData;
  readonly #clock: Clock;
  readonly #began: number;
  #lastEvent: number;
  #usage: Extract<ModelEvent, { type: 'usage' }>['usage'] | undefined;
  #outcome: TurnOutcome | undefined;

  constructor(sink: TraceSink, clock: Clock, secrets: readonly string[]) {
    this.#sink = sink.open();
    this.#secrets = new TraceSecrets(secrets);
    const policy = maskPolicy(this.#secrets);
    this.#words = new MaskedWords(policy, false);
    this.#wire = new MaskedBody(policy);
    this.#rawEvents = new MaskedData(policy);
    for (const pieces of [this.#words, this.#wire, this.#rawEvents]) this.#writes.begin(pieces, pieces);
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
    const content = {
      type: 'event',
      kind,
      ...fields,
      latency_ms: Math.round(now - this.#lastEvent),
    } as const;
    const held = this.#words.add({ type: kind, ...fields });
    // A masked piece of words has its type and its text.
    if (held) this.#addHeld(held, (words) => ({ ...content, ...(words as object), type: 'event' }));
    else this.#add(content);
    this.#lastEvent = now;
  }

  /** `ifUnfinished`: how it ended where its last event has not come. */
  end(ifUnfinished: TurnOutcome): void {
    const total_ms = Math.round(this.#clock.monotonic() - this.#began);
    this.#add({ type: 'turn_end', outcome: this.#outcome ?? ifUnfinished, usage: this.#usage, total_ms });
    this.#writes.close();
    this.#sink.close();
  }

  /** Write down what goes over the wire, and tell `others` too. */
  hooks(others: WireHooks = {}): WireHooks {
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
        // The masked pieces of a body are bytes, and end with a whole character.
        const textOf = (masked: unknown) => new TextDecoder().decode(masked as Uint8Array);
        this.#addHeld(this.#wire.add(bytes), (masked) => ({ type: 'wire', text: textOf(masked) }));
        others.onWire?.(bytes);
      },
      onRawEvent: (event) => {
        this.#addHeld(this.#rawEvents.add(event), (masked) => ({ type: 'raw_event', event: masked }));
        others.onRawEvent?.(event);
      },
    };
  }

  #add(content: Content): void {
    const record = this.#recordOf(content, this.#clock.now());
    this.#writes.add(() => this.#sink.write(record));
  }

  /** `contentOf` gives the content for a piece in which secrets are hidden. */
  #addHeld(held: HeldPiece, contentOf: (masked: unknown) => Content): void {
    const now = this.#clock.now();
    this.#writes.add(() => this.#sink.write(this.#recordOf(contentOf(held.masked()), now)), held);
  }

  /** Without the secrets that stand whole in one of its texts. */
  #recordOf(content: Content, now: number): TraceRecord {
    // Each content with a time is a record.
    return { ts: new Date(now).toISOString(), ...this.#secrets.data(content) } as TraceRecord;
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
