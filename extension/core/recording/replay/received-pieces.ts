/** Who waits for what a recorded call gave. */
export interface Receiver {
  piece(value: unknown): void;
  end(value: unknown): void | Promise<void>;
  fail(error: unknown): void;
}

/** Pieces that came, or did not yet. */
export class ReceivedPieces<Piece> implements Receiver {
  readonly #results: (IteratorResult<Piece> | { readonly error: unknown })[] = [];
  readonly #waiting: { resolve(result: IteratorResult<Piece>): void; reject(error: unknown): void }[] = [];

  next(): Promise<IteratorResult<Piece>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#match();
    });
  }

  piece(value: unknown): void {
    // What the recorded stream gave.
    this.#add({ done: false, value: value as Piece });
  }

  end(): void {
    this.#add({ done: true, value: undefined });
  }

  fail(error: unknown): void {
    this.#add({ error });
  }

  #add(result: IteratorResult<Piece> | { readonly error: unknown }): void {
    this.#results.push(result);
    this.#match();
  }

  #match(): void {
    if (this.#results.length === 0) return;
    const reader = this.#waiting.shift();
    const result = reader && this.#results.shift();
    if (!reader || !result) return;
    if ('error' in result) reader.reject(result.error);
    else reader.resolve(result);
  }
}
