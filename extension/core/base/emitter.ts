/** Ends a subscription. */
export interface Subscription {
  dispose(): void;
}

/** Calls the listener at each change, until the result is disposed of. */
export type Event<Value> = (listener: (value: Value) => unknown) => Subscription;

/**
 * Calls its listeners at each change. It has the shape of VS Code's `EventEmitter`, and also works without VS
 * Code.
 */
export class Emitter<Value> {
  readonly #listeners = new Set<(value: Value) => unknown>();

  readonly event: Event<Value> = (listener) => {
    // The same function may subscribe twice.
    const own = (value: Value) => listener(value);
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  /**
   * Calls all current listeners. If one throws, the others still run, and its error stays uncaught, because
   * it is a bug.
   */
  fire(value: Value): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
