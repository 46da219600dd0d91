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
import { MaskedBlobs } from './masked-blobs.ts';

type EndNote = Extract<Note, { kind: 'end' }>;

/** An entry without its time and its reads. */
type Note = Entry extends infer E ? (E extends Entry ? Omit<E, 'at' | 'read'> : never) : never;

export interface RecordingOptions {
  readonly sink: RecordingSink;
  /**
   * The real clock. The recording awaits its `yield` before each delivery, so that deliveries never overlap.
   */
  readonly clock: Clock;
  /** Must keep lengths. */
  readonly policy: SecretPolicy;
  readonly errors: ErrorClasses;
}

/**
 * Records everything that passes between a session and its ports. A failed write ends the recording, and
 * never affects the session.
 * The recording delivers results to the session one at a time. Before each, it waits until the session has
 * reacted to the previous one. Because of this, a replay can reproduce the order of the entries.
 */
export class SessionRecording implements PortInterceptor {
  readonly #options: RecordingOptions;
  readonly #encoding: Encoding;
  readonly #outputEncoding: Encoding;
  readonly #maskedEncoding: Encoding;
  readonly #policy: SecretPolicy;
  readonly #writes = new HeldWrites();
  /** A recording never recreates a provider: it has the real settings. */
  readonly #settings = new InterceptedSettings(this, neverCalled);
  readonly #readings = new SyncReads();
  readonly #start: number;
  readonly #waiting: (() => void)[] = [];
  #lastId = 0;
  #delivered = 0;
  #hasHidden = false;
  #hasFailed = false;
  /** The number of listener calls in progress. */
  #notifying = 0;

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
    this.#encoding = { keep, mask: (text) => hide(text), errors, kept: new MaskedBlobs(policy) };
    this.#outputEncoding = { keep, mask: (text) => hide(text, true), errors };
    this.#maskedEncoding = { keep, mask: (text) => text, errors };
    this.#start = options.clock.monotonic();
    this.#attempt(() => this.#write({ kind: 'open', ...opening }));
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
      const deliver = (piece: unknown) => {
        try {
          onPiece?.(piece);
        } catch (error) {
          reject(error);
        }
      };
      (async () => make((piece) => this.#deliverPiece(id, piece, () => deliver(piece))))().then(
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
    this.#attempt(() => this.#readings.add(name, value === undefined ? NONE : this.#encode(value)));
    return value;
  }

  /** Writes all entries that are still held back. Called when nothing more is recorded. */
  close(): void {
    this.#attempt(() => this.#writes.close());
  }

  input(name: SessionInput, given: readonly unknown[]): number {
    const id = ++this.#lastId;
    const byListener = this.#notifying > 0 ? { told: this.#delivered } : {};
    this.#attempt(() =>
      this.#write({
        kind: 'input',
        id,
        name,
        given: given.map((value) => this.#encode(value)),
        ...byListener,
      }),
    );
    return id;
  }

  settings(ask: () => Promise<RunSettings>): () => Promise<RunSettings> {
    return this.#settings.bind('settings', ask);
  }

  /**
   * Counts listener calls in progress, so that `input` can mark what a listener does. A replay must repeat it
   * at the same event.
   */
  listener(listener: SessionListener): SessionListener {
    return {
      onEvents: (events) => this.#notify(() => listener.onEvents?.(events)),
      onDelta: (delta) => this.#notify(() => listener.onDelta?.(delta)),
    };
  }

  onEvents(): void {
    this.#delivered += 1;
  }

  onDelta(): void {
    this.#delivered += 1;
  }

  #notify(listen: () => void): void {
    this.#notifying += 1;
    try {
      listen();
    } finally {
      this.#notifying -= 1;
    }
  }

  #begin(name: string, given: readonly unknown[], givesPieces: boolean): number {
    const id = ++this.#lastId;
    this.#attempt(() => {
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
            const deliver = () => resolve(result);
            if (result.done) this.#deliverEnd(id, () => ({}), deliver);
            else this.#deliverPiece(id, result.value, deliver);
          },
          (error: unknown) => this.#fail(id, error, reject),
        );
      });
    const end = () => {
      this.#attempt(() => this.#writes.end(id));
      return this.call('stream.return', [], async () => void (await made.return?.()));
    };
    return { next, return: async () => ({ done: true, value: await end() }) };
  }

  #fail(id: number, error: unknown, reject: (error: unknown) => void): void {
    const failure = error instanceof Error ? error : new Error(String(error));
    this.#deliverEnd(
      id,
      () => ({ error: this.#encode(failure) }),
      () => reject(error),
    );
  }

  #deliverPiece(id: number, piece: unknown, deliver: () => void): void {
    this.#deliver(() => this.#addPiece(id, piece), deliver);
  }

  #deliverEnd(id: number, toNote: () => Omit<EndNote, 'kind' | 'id'>, deliver: () => void): void {
    const note = this.#attempt(toNote);
    this.#deliver(() => {
      this.#writes.end(id);
      this.#write({ kind: 'end', id, ...note });
    }, deliver);
  }

  #deliver(write: () => void, deliver: () => void): void {
    this.#waiting.push(() => {
      this.#attempt(write);
      deliver();
    });
    if (this.#waiting.length === 1) void this.#drain();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#options.clock.yield();
      this.#waiting[0]?.();
      this.#waiting.shift();
    }
  }

  /** Undefined if `write` fails, or failed before. The first failure ends the recording. */
  #attempt<Result>(write: () => Result): Result | undefined {
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
