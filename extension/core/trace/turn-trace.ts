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

/** Also hides keys that are too short to count as secrets in the session log. */
class TraceSecrets extends SecretFilter {
  override text(text: string): string {
    return withoutForms(super.text(text), []);
  }
}

/** Writes the log of one turn. A secret that arrives in several pieces is masked in each of them. */
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
    // A masked piece of words has the fields `type` and `text`.
    if (held) this.#addHeld(held, (words) => ({ ...content, ...(words as object), type: 'event' }));
    else this.#add(content);
    this.#lastEvent = now;
  }

  /** `ifUnfinished` is the outcome if the turn had no final event. */
  end(ifUnfinished: TurnOutcome): void {
    const total_ms = Math.round(this.#clock.monotonic() - this.#began);
    this.#add({ type: 'turn_end', outcome: this.#outcome ?? ifUnfinished, usage: this.#usage, total_ms });
    this.#writes.close();
    this.#sink.close();
  }

  /** Logs the traffic on the wire, and passes it on to `others`. */
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
        // The masked pieces of a body are bytes that end with a whole character.
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

  /** `contentOf` returns the record for a masked piece. */
  #addHeld(held: HeldPiece, contentOf: (masked: unknown) => Content): void {
    const now = this.#clock.now();
    this.#writes.add(() => this.#sink.write(this.#recordOf(contentOf(held.masked()), now)), held);
  }

  /** Hides each secret that is whole in one text of the record. */
  #recordOf(content: Content, now: number): TraceRecord {
    // A content with its time is a record.
    return { ts: new Date(now).toISOString(), ...this.#secrets.data(content) } as TraceRecord;
  }
}

/** Drops the bytes of images: they are in the session's folder. */
function withoutImages(message: Message): Message {
  if (message.role !== 'user') return message;
  return { role: 'user', content: message.content.map(withoutData) };
}

function withoutData(block: UserBlock): UserBlock {
  if (block.type !== 'image') return block;
  const { data: _, ...rest } = block;
  return rest;
}
