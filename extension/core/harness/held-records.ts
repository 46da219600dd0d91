import type { TraceRecord, TurnSink } from '../ports/trace-sink.ts';
import type { Redactor } from './redactor.ts';
import { SplitSecrets } from './split-secrets.ts';

/** More do not wait: what seemed to begin a secret so long ago has not gone on. */
const MAX_HELD = 1_000;
const LEFT_OUT = '(left out: it had a part of a key)';

/**
 * Writes records without the secrets that `redactor` knows. One that comes in pieces is found too: a record waits for as
 * long as it may hold a part of one, and what was just received waits for what is made of it.
 */
export class HeldRecords {
  readonly #sink: TurnSink;
  readonly #redactor: Redactor;
  readonly #split: SplitSecrets;
  #held: TraceRecord[] = [];

  constructor(sink: TurnSink, redactor: Redactor) {
    this.#sink = sink;
    this.#redactor = redactor;
    this.#split = new SplitSecrets(redactor.forms);
  }

  add(record: TraceRecord): void {
    const { ts, ...content } = record;
    // The same record but for its texts.
    const cleaned = { ts, ...this.#redactor.clean(content) } as TraceRecord;
    // What was received before is done with, unless a secret may still go on.
    if (cleaned.type === 'wire' && !this.#split.isOpen) this.#writeAll();
    this.#held.push(cleaned);
    if (isPiece(cleaned) && this.#lookAt(cleaned)) this.#hideWire();
    const waits = this.#split.isOpen || this.#held.some(({ type }) => type === 'wire');
    if (!waits || this.#held.length > MAX_HELD) this.#writeAll();
  }

  close(): void {
    this.#writeAll();
    this.#sink.close();
  }

  /** True where a secret was found that came in pieces. */
  #lookAt(record: TraceRecord): boolean {
    const prefix = record.type === 'event' ? record.kind : record.type;
    return [...textsOf(record, prefix)].filter(([name, piece]) => this.#split.add(name, piece)).length > 0;
  }

  /** What a piece was read from has it in a form of its own. */
  #hideWire(): void {
    this.#held = this.#held.map((record) =>
      record.type === 'wire' ? { ...record, text: LEFT_OUT } : record,
    );
  }

  #writeAll(): void {
    for (const record of this.#held) this.#sink.write(record);
    this.#held = [];
  }
}

function isPiece(record: TraceRecord): boolean {
  if (record.type === 'event') return record.kind.endsWith('_delta');
  return record.type === 'wire' || record.type === 'raw_event';
}

/** Every text in plain data, by its place. */
function* textsOf(
  data: object,
  place: string,
): Generator<[string, { readonly text: string; replace(text: string): void }]> {
  for (const [name, value] of Object.entries(data)) {
    const path = `${place}.${name}`;
    if (typeof value === 'object' && value !== null) yield* textsOf(value, path);
    if (typeof value === 'string') {
      yield [path, { text: value, replace: (text) => Object.assign(data, { [name]: text }) }];
    }
  }
}
