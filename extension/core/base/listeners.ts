/** A set of listeners. */
export class Listeners<Listener> {
  readonly #all = new Set<Listener>();

  /** Returns the function that removes it. */
  add(listener: Listener): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  notify(call: (listener: Listener) => void): void {
    for (const listener of this.#all) call(listener);
  }
}
