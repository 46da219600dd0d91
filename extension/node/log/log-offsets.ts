/** Bytes of a log between two places that are known: about as many are read too much. */
const APART = 64 * 1024;

/** Where events begin in a log: some of them, so that any other is found near one. */
export class LogOffsets {
  readonly #seqs: number[] = [];
  readonly #places: number[] = [];

  /** Event `seq` begins at byte `at`. Told in order; what is known already is told again for nothing. */
  note(seq: number, at: number): void {
    if (seq <= (this.#seqs.at(-1) ?? 0) || at < (this.#places.at(-1) ?? -APART) + APART) return;
    this.#seqs.push(seq);
    this.#places.push(at);
  }

  /** A byte of the log where a line begins, and behind which event `seq` is. */
  before(seq: number): number {
    const index = this.#seqs.findLastIndex((known) => known <= seq);
    return this.#places[index] ?? 0;
  }
}
