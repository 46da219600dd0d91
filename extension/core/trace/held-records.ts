import type { TraceRecord, TurnSink } from '../ports/trace-sink.ts';
import { overlap } from '../secrets/streaming-boundary.ts';
import type { Redactor } from './redactor.ts';

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

/** A text that is a part of a longer one, with the way to put another in its place. */
export interface Piece {
  readonly text: string;
  replace(text: string): void;
}

/** Finds secrets that come in pieces: in each of them is too little of one to be found alone. */
export class SplitSecrets {
  readonly #forms: readonly string[];
  /** By the name of the text that they are pieces of: those in whose end a secret may have begun. */
  readonly #open = new Map<string, Piece[]>();

  constructor(forms: readonly string[]) {
    this.#forms = forms;
  }

  /** What came last may be the beginning of a secret. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** The next piece of a text. True where it completed a secret, which was then taken out of its pieces. */
  add(name: string, piece: Piece): boolean {
    const pieces = [...(this.#open.get(name) ?? []), piece];
    const whole = pieces.map(({ text }) => text).join('');
    const found = this.#forms.find((form) => whole.includes(form));
    if (found !== undefined) takeOut(pieces, whole.indexOf(found), found.length);
    const begun = found === undefined ? this.#beginning(whole) : 0;
    if (begun > 0) this.#open.set(name, lastPieces(pieces, begun));
    else this.#open.delete(name);
    return found !== undefined;
  }

  /** How many characters at the end of a text are the beginning of a secret. */
  #beginning(text: string): number {
    return Math.max(0, ...this.#forms.map((form) => overlap(text, form)));
  }
}

/** Those that hold the last `length` characters. */
function lastPieces(pieces: readonly Piece[], length: number): Piece[] {
  let left = length;
  const from = pieces.findLastIndex(({ text }) => {
    left -= text.length;
    return left <= 0;
  });
  return pieces.slice(from);
}

function takeOut(pieces: readonly Piece[], start: number, length: number): void {
  let offset = 0;
  for (const { text, replace } of pieces) {
    const from = Math.max(0, start - offset);
    const to = Math.max(0, start + length - offset);
    if (to > 0 && from < text.length) {
      replace(`${text.slice(0, from)}${start >= offset ? '…' : ''}${text.slice(to)}`);
    }
    offset += text.length;
  }
}
