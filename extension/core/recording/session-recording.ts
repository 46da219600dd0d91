import type { RunSettings } from '../loop/run-settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { RecordingSink } from '../ports/recording-sink.ts';
import type { SessionInput } from '../ports/session-tap.ts';
import type { SessionListener } from '../session/recorder.ts';
import { BoundSettings } from './bound-settings.ts';
import { type Encoding, encode, NONE } from './coded.ts';
import type { ErrorClasses } from './coded-errors.ts';
import { digest, looseDigest } from './digest.ts';
import type { Entry, Opening } from './entry.ts';
import type { CallOptions, Exchange } from './exchange.ts';
import { Readings } from './readings.ts';

/** What an entry says beside its time. */
type Note = Entry extends infer E ? (E extends Entry ? Omit<E, 'at' | 'read'> : never) : never;

export interface RecordingOptions {
  readonly sink: RecordingSink;
  /** Real time: what is handed to the session waits for its `yield`, so that one thing happens after the other. */
  readonly clock: Clock;
  /** Takes secrets out of a text and leaves its length as it is. */
  readonly mask: (text: string) => string;
  readonly errors: ErrorClasses;
}

/**
 * Writes down what passes between a session and the world. What comes to the session comes one at a time, each when the
 * session has done all that it can do about the one before: only so is the order of the entries the whole truth, and a
 * playback can bring it about again.
 */
export class SessionRecording implements Exchange {
  readonly #options: RecordingOptions;
  readonly #encoding: Encoding;
  readonly #settings = new BoundSettings(this, never);
  readonly #readings = new Readings();
  readonly #start: number;
  readonly #waiting: (() => void)[] = [];
  #lastId = 0;
  #told = 0;
  #hasHidden = false;
  /** Listeners that are being told something. */
  #telling = 0;

  constructor(options: RecordingOptions, opening: Omit<Opening, 'kind'>) {
    this.#options = options;
    const { sink, errors } = options;
    const mask = (text: string) => this.#mask(text);
    this.#encoding = { keep: (hash, bytes) => sink.keep(hash, bytes), mask, errors };
    this.#start = options.clock.monotonic();
    this.#write({ kind: 'open', ...opening });
  }

  call<Value>(
    name: string,
    given: readonly unknown[],
    make: (onPiece: (piece: unknown) => void) => Promise<Value>,
    { coding, onPiece }: CallOptions<Value> = {},
  ): Promise<Value> {
    const id = this.#begin(name, given);
    const tell = (piece: unknown) =>
      this.#deliver({ kind: 'piece', id, value: this.#encode(piece) }, () => onPiece?.(piece));
    return new Promise((resolve, reject) => {
      const made = (async () => make(tell))();
      made.then(
        (value) => {
          const plain = this.#encode(coding ? coding.toPlain(value) : value);
          this.#deliver({ kind: 'end', id, ...(plain !== undefined && { value: plain }) }, () =>
            resolve(value),
          );
        },
        (error: unknown) => this.#fail(id, error, reject),
      );
    });
  }

  stream<Piece>(
    name: string,
    given: readonly unknown[],
    make: () => AsyncIterable<Piece>,
  ): AsyncIterable<Piece> {
    return { [Symbol.asyncIterator]: () => this.#iterate(this.#begin(name, given), make) };
  }

  read<Value>(name: string, make: () => Value): Value {
    const value = make();
    this.#readings.add(name, value === undefined ? NONE : this.#encode(value));
    return value;
  }

  input(name: SessionInput, given: readonly unknown[]): number {
    const id = ++this.#lastId;
    const told = this.#telling > 0 ? { told: this.#told } : {};
    this.#write({ kind: 'input', id, name, given: given.map((value) => this.#encode(value)), ...told });
    return id;
  }

  settings(ask: () => Promise<RunSettings>): () => Promise<RunSettings> {
    return this.#settings.bind('settings', ask);
  }

  /** What it does to the session while it is told something happens in the middle of things. */
  listener(listener: SessionListener): SessionListener {
    return {
      onEvents: (events) => this.#tell(() => listener.onEvents?.(events)),
      onDelta: (delta) => this.#tell(() => listener.onDelta?.(delta)),
    };
  }

  onEvents(): void {
    this.#told += 1;
  }

  onDelta(): void {
    this.#told += 1;
  }

  #tell(listen: () => void): void {
    this.#telling += 1;
    try {
      listen();
    } finally {
      this.#telling -= 1;
    }
  }

  #begin(name: string, given: readonly unknown[]): number {
    const id = ++this.#lastId;
    const loose = this.#hasHidden ? { loose: looseDigest(given, this.#encoding) } : {};
    this.#write({ kind: 'start', id, name, given: digest(given, this.#encoding), ...loose });
    return id;
  }

  #iterate<Piece>(id: number, make: () => AsyncIterable<Piece>): AsyncIterator<Piece> {
    const made = make()[Symbol.asyncIterator]();
    const next = () =>
      new Promise<IteratorResult<Piece>>((resolve, reject) => {
        (async () => made.next())().then(
          (result) => {
            const note: Note = result.done
              ? { kind: 'end', id }
              : { kind: 'piece', id, value: this.#encode(result.value) };
            this.#deliver(note, () => resolve(result));
          },
          (error: unknown) => this.#fail(id, error, reject),
        );
      });
    const end = () => this.call('stream.return', [], async () => void (await made.return?.()));
    return { next, return: async () => ({ done: true, value: await end() }) };
  }

  #fail(id: number, error: unknown, reject: (error: unknown) => void): void {
    const told = error instanceof Error ? error : new Error(String(error));
    this.#deliver({ kind: 'end', id, error: this.#encode(told) }, () => reject(error));
  }

  #deliver(note: Note, hand: () => void): void {
    this.#waiting.push(() => {
      this.#write(note);
      hand();
    });
    if (this.#waiting.length === 1) void this.#handOut();
  }

  async #handOut(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#options.clock.yield();
      this.#waiting[0]?.();
      this.#waiting.shift();
    }
  }

  #mask(text: string): string {
    const masked = this.#options.mask(text);
    this.#hasHidden ||= masked !== text;
    return masked;
  }

  #encode(value: unknown): unknown {
    return encode(value, this.#encoding);
  }

  #write(note: Note): void {
    const { clock, sink } = this.#options;
    const at = Math.round((clock.monotonic() - this.#start) * 1000) / 1000;
    const read = this.#readings.take();
    // A note with its time is an entry.
    sink.write({ ...note, at, ...(read && { read }) } as Entry);
  }
}

/** Whoever records has the settings themselves. */
const never = () => new Promise<never>(() => {});
