import type { HeldPiece, MaskedPieces } from './masked-text.ts';

/** The largest number of writes that wait. Beyond it, open beginnings of secrets are hidden. */
const MOST = 4_000;

interface Waiting {
  readonly write: () => void;
  readonly held: HeldPiece | undefined;
}

/**
 * Keeps records in order on their way to a file. A piece that may contain a part of a secret waits for the
 * rest of the secret. The records after it wait too.
 */
export class HeldWrites {
  readonly #pieces = new Map<unknown, MaskedPieces>();
  readonly #waiting: Waiting[] = [];

  /** Registers `source`: its pieces follow. */
  begin(source: unknown, pieces: MaskedPieces): void {
    this.#pieces.set(source, pieces);
  }

  /** `source` gives no more pieces. */
  end(source: unknown): void {
    this.#pieces.get(source)?.end();
    this.#pieces.delete(source);
    this.#writeSettled();
  }

  /**
   * Takes the next piece of `source`. The caller passes the result to `add` with its record. Undefined if the
   * piece is masked alone.
   */
  hold(source: unknown, piece: unknown): HeldPiece | undefined {
    return this.#pieces.get(source)?.add(piece);
  }

  /** Calls `write` once `held` is settled and all earlier writes were made. */
  add(write: () => void, held?: HeldPiece): void {
    this.#waiting.push({ write, held });
    if (this.#waiting.length > MOST) for (const pieces of this.#pieces.values()) pieces.cut();
    this.#writeSettled();
  }

  /** Ends all sources. */
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
