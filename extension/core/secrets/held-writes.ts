import type { HeldPiece, MaskedPieces } from './masked-text.ts';

/** More writes do not wait. */
const MOST = 4_000;

interface Waiting {
  readonly write: () => void;
  readonly held: HeldPiece | undefined;
}

/**
 * Records on their way to a file. A piece that may hold a part of a secret waits for the rest of the secret. The records
 * after the piece wait with it, so their order holds.
 */
export class HeldWrites {
  readonly #pieces = new Map<unknown, MaskedPieces>();
  readonly #waiting: Waiting[] = [];

  /** The pieces of `source` come from now on. */
  begin(source: unknown, pieces: MaskedPieces): void {
    this.#pieces.set(source, pieces);
  }

  /** `source` gives no pieces any more. */
  end(source: unknown): void {
    this.#pieces.get(source)?.end();
    this.#pieces.delete(source);
    this.#writeSettled();
  }

  /** The next piece of `source`, to be added with its record. Undefined where the piece is to be looked at alone. */
  hold(source: unknown, piece: unknown): HeldPiece | undefined {
    return this.#pieces.get(source)?.add(piece);
  }

  /** `write` is called when `held` is settled and all writes before it were made. */
  add(write: () => void, held?: HeldPiece): void {
    this.#waiting.push({ write, held });
    if (this.#waiting.length > MOST) for (const pieces of this.#pieces.values()) pieces.cut();
    this.#writeSettled();
  }

  /** Nothing comes any more. */
  close(): void {
    for (const source of this.#pieces.keys()) this.end(source);
  }

  #writeSettled(): void {
    for (let [next] = this.#waiting; next && next.held?.isSettled !== false; [next] = this.#waiting) {
      next.write();
      this.#waiting.shift();
    }
  }
}
