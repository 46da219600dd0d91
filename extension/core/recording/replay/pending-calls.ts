import { type Decoding, decode } from '../encode.ts';
import type { EntryOf } from '../entry.ts';

/** Receives what a recorded call gave: its pieces, then its result or its error. */
export interface Receiver {
  piece(value: unknown): void;
  end(value: unknown): void | Promise<void>;
  fail(error: unknown): void;
}

/** The calls that the session repeated and that wait for the recorded result. */
export class PendingCalls {
  readonly #decoding: Decoding;
  readonly #receivers = new Map<number, Receiver>();

  constructor(decoding: Decoding) {
    this.#decoding = decoding;
  }

  /** `id` is that of the recorded call. */
  add(id: number, receiver: Receiver): void {
    this.#receivers.set(id, receiver);
  }

  /** Ignores entries of a call that the session did not make. Rejects if the value cannot be decoded. */
  async deliver(entry: EntryOf<'piece'> | EntryOf<'end'>): Promise<void> {
    const receiver = this.#receivers.get(entry.id);
    if (!receiver) return;
    if (entry.kind === 'piece') receiver.piece(await decode(entry.value, this.#decoding));
    else if (entry.error !== undefined) receiver.fail(await decode(entry.error, this.#decoding));
    else await receiver.end(await decode(entry.value, this.#decoding));
    if (entry.kind === 'end') this.#receivers.delete(entry.id);
  }
}

type Received<Piece> = IteratorResult<Piece> | { readonly error: unknown };

/** Buffers the pieces of a recorded stream until the session reads them. */
export class ReceivedPieces<Piece> implements Receiver {
  readonly #buffered: Received<Piece>[] = [];
  readonly #readers: { resolve(result: IteratorResult<Piece>): void; reject(error: unknown): void }[] = [];

  next(): Promise<IteratorResult<Piece>> {
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      this.#match();
    });
  }

  piece(value: unknown): void {
    // The recorded stream yielded a value of this type.
    this.#add({ done: false, value: value as Piece });
  }

  end(): void {
    this.#add({ done: true, value: undefined });
  }

  fail(error: unknown): void {
    this.#add({ error });
  }

  #add(received: Received<Piece>): void {
    this.#buffered.push(received);
    this.#match();
  }

  #match(): void {
    if (this.#buffered.length === 0) return;
    const reader = this.#readers.shift();
    const received = reader && this.#buffered.shift();
    if (!reader || !received) return;
    if ('error' in received) reader.reject(received.error);
    else reader.resolve(received);
  }
}
