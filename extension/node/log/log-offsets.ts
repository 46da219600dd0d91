/** Bytes between two stored offsets. A lookup reads about this many bytes too many. */
const APART = 64 * 1024;

/** Offsets of some events in a log, from which a reader finds any other event. */
export class LogOffsets {
  readonly #seqs: number[] = [];
  readonly #places: number[] = [];

  /** Records that event `seq` begins at byte `at`. Call in order; a repeated call has no effect. */
  note(seq: number, at: number): void {
    if (seq <= (this.#seqs.at(-1) ?? 0) || at < (this.#places.at(-1) ?? -APART) + APART) return;
    this.#seqs.push(seq);
    this.#places.push(at);
  }

  /** Returns the offset of a line start; event `seq` begins there or later. */
  before(seq: number): number {
    const index = this.#seqs.findLastIndex((known) => known <= seq);
    return this.#places[index] ?? 0;
  }
}
