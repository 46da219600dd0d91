import type { SessionListener } from '../../log/log-writer.ts';
import type { RunSettings } from '../../loop/run-settings.ts';
import type { Clock } from '../../ports/clock.ts';
import { HeldWrites } from '../../secrets/held-writes.ts';
import { isOutput, maskedPieces } from '../../secrets/masked-pieces.ts';
import type { SecretPolicy } from '../../secrets/streaming-filter.ts';
import type { SessionInput } from '../../session/session-tap.ts';
import { digests, type Encoding, encode, NONE } from '../encode.ts';
import type { ErrorClasses } from '../encode-errors.ts';
import type { Entry, EntryOf, Opening, Plain } from '../entry.ts';
import type { CallOptions, PortInterceptor } from '../port-interceptor.ts';
import { neverCalled } from '../port-interceptor.ts';
import { InterceptedSettings } from '../ports/settings.ts';
import type { RecordingSink } from '../recording-sink.ts';
import { SyncReads } from '../sync-reads.ts';
import { KeptBytes } from './masked-blobs.ts';

type EndNote = Extract<Note, { kind: 'end' }>;

/** What an entry says beside its time. */
type Note = Entry extends infer E ? (E extends Entry ? Omit<E, 'at' | 'read'> : never) : never;

export interface RecordingOptions {
  readonly sink: RecordingSink;
  /** Real time: what is handed to the session waits for its `yield`, so that one thing happens after the other. */
  readonly clock: Clock;
  /** Keeps lengths. */
  readonly policy: SecretPolicy;
  readonly errors: ErrorClasses;
}

/**
 * Writes down what passes between a session and the world. It is in nobody's way: what cannot be written down ends the
 * recording, and the session gets what it has asked for. What comes to the session comes one at a time, each when the
 * session has done all that it can do about the one before: only so is the order of the entries the whole truth, and a
 * playback can bring it about again.
 */
export class SessionRecording implements PortInterceptor {
  readonly #options: RecordingOptions;
  readonly #encoding: Encoding;
  readonly #outputEncoding: Encoding;
  readonly #maskedEncoding: Encoding;
  readonly #policy: SecretPolicy;
  readonly #writes = new HeldWrites();
  /** Whoever records has the settings themselves. */
  readonly #settings = new InterceptedSettings(this, neverCalled);
  readonly #readings = new SyncReads();
  readonly #start: number;
  readonly #waiting: (() => void)[] = [];
  #lastId = 0;
  #told = 0;
  #hasHidden = false;
  #hasFailed = false;
  /** Listeners that are being told something. */
  #telling = 0;

  constructor(options: RecordingOptions, opening: Omit<Opening, 'kind'>) {
    this.#options = options;
    const { sink, errors, policy } = options;
    const hide = (text: string, isOutput?: boolean) => {
      const hidden = policy.hide(text, isOutput);
      this.#hasHidden ||= hidden !== text;
      return hidden;
    };
    this.#policy = { ...policy, hide };
    const keep = (hash: string, bytes: Uint8Array) => sink.keep(hash, bytes);
    this.#encoding = { keep, mask: (text) => hide(text), errors, kept: new KeptBytes(policy) };
    this.#outputEncoding = { keep, mask: (text) => hide(text, true), errors };
    this.#maskedEncoding = { keep, mask: (text) => text, errors };
    this.#start = options.clock.monotonic();
    this.#tried(() => this.#write({ kind: 'open', ...opening }));
  }

  call<Value>(
    name: string,
    given: readonly unknown[],
    make: (onPiece: (piece: unknown) => void) => Promise<Value>,
    { coding, onPiece }: CallOptions<Value> = {},
  ): Promise<Value> {
    const id = this.#begin(name, given, onPiece !== undefined);
    const encoding = isOutput(name) ? this.#outputEncoding : this.#encoding;
    return new Promise((resolve, reject) => {
      const hand = (piece: unknown) => {
        try {
          onPiece?.(piece);
        } catch (error) {
          reject(error);
        }
      };
      (async () => make((piece) => this.#deliverPiece(id, piece, () => hand(piece))))().then(
        (value) => {
          const toPlain = () => encode(coding ? coding.toPlain(value) : value, encoding);
          this.#deliverEnd(
            id,
            () => endWith(toPlain()),
            () => resolve(value),
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
    return {
      [Symbol.asyncIterator]: () => this.#iterate(this.#begin(name, given, true), make),
    };
  }

  read<Value>(name: string, make: () => Value): Value {
    const value = make();
    this.#tried(() => this.#readings.add(name, value === undefined ? NONE : this.#encode(value)));
    return value;
  }

  /** Nothing is recorded any more. */
  close(): void {
    this.#tried(() => this.#writes.close());
  }

  input(name: SessionInput, given: readonly unknown[]): number {
    const id = ++this.#lastId;
    const told = this.#telling > 0 ? { told: this.#told } : {};
    this.#tried(() =>
      this.#write({ kind: 'input', id, name, given: given.map((value) => this.#encode(value)), ...told }),
    );
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

  #begin(name: string, given: readonly unknown[], givesPieces: boolean): number {
    const id = ++this.#lastId;
    this.#tried(() => {
      const { strict, loose } = digests(given, this.#encoding);
      this.#write({ kind: 'start', id, name, given: strict, ...(this.#hasHidden && { loose: loose() }) });
      if (givesPieces) this.#writes.begin(id, maskedPieces(name, this.#policy));
    });
    return id;
  }

  #iterate<Piece>(id: number, make: () => AsyncIterable<Piece>): AsyncIterator<Piece> {
    const made = make()[Symbol.asyncIterator]();
    const next = () =>
      new Promise<IteratorResult<Piece>>((resolve, reject) => {
        (async () => made.next())().then(
          (result) => {
            const hand = () => resolve(result);
            if (result.done) this.#deliverEnd(id, () => ({}), hand);
            else this.#deliverPiece(id, result.value, hand);
          },
          (error: unknown) => this.#fail(id, error, reject),
        );
      });
    const end = () => {
      this.#tried(() => this.#writes.end(id));
      return this.call('stream.return', [], async () => void (await made.return?.()));
    };
    return { next, return: async () => ({ done: true, value: await end() }) };
  }

  #fail(id: number, error: unknown, reject: (error: unknown) => void): void {
    const told = error instanceof Error ? error : new Error(String(error));
    this.#deliverEnd(
      id,
      () => ({ error: this.#encode(told) }),
      () => reject(error),
    );
  }

  #deliverPiece(id: number, piece: unknown, hand: () => void): void {
    this.#deliver(() => this.#addPiece(id, piece), hand);
  }

  #deliverEnd(id: number, toNote: () => Omit<EndNote, 'kind' | 'id'>, hand: () => void): void {
    const note = this.#tried(toNote);
    this.#deliver(() => {
      this.#writes.end(id);
      this.#write({ kind: 'end', id, ...note });
    }, hand);
  }

  #deliver(write: () => void, hand: () => void): void {
    this.#waiting.push(() => {
      this.#tried(write);
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

  /** Undefined where it fails, or did before. */
  #tried<Result>(write: () => Result): Result | undefined {
    if (this.#hasFailed) return undefined;
    try {
      return write();
    } catch (error) {
      this.#hasFailed = true;
      this.#options.sink.fail(error);
      return undefined;
    }
  }

  #encode(value: unknown): unknown {
    return encode(value, this.#encoding);
  }

  #write(note: Note): void {
    const entry = this.#timed(note);
    this.#writes.add(() => this.#options.sink.write(entry));
  }

  #addPiece(id: number, piece: unknown): void {
    const entry = this.#timed({ kind: 'piece', id });
    const held = this.#writes.hold(id, piece);
    const alone = held ? undefined : this.#encode(piece);
    this.#writes.add(() => {
      const value = held ? encode(held.masked(), this.#maskedEncoding) : alone;
      this.#options.sink.write({ ...entry, value });
    }, held);
  }

  #timed<Kind extends Entry['kind']>(note: Extract<Note, { kind: Kind }>): EntryOf<Kind> {
    const at = Math.round((this.#options.clock.monotonic() - this.#start) * 1000) / 1000;
    const read = this.#readings.take();
    // A note with its time is an entry.
    return { ...note, at, ...(read && { read }) } as unknown as EntryOf<Kind>;
  }
}

function endWith(plain: Plain): Omit<EndNote, 'kind' | 'id'> {
  return plain === undefined ? {} : { value: plain };
}
