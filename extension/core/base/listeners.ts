/** Who wants to be told of something. */
export class Listeners<Listener> {
  readonly #all = new Set<Listener>();

  /** Returns the undo. */
  add(listener: Listener): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(call: (listener: Listener) => void): void {
    for (const listener of this.#all) call(listener);
  }
}
