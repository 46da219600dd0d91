/** What ends a subscription. */
export interface Subscription {
  dispose(): void;
}

/** Calls the listener at each change, until the result is disposed of. */
export type Event<Value> = (listener: (value: Value) => unknown) => Subscription;

/** Tells its listeners of a change. It has the shape of VS Code's `EventEmitter`, for what runs without a window too. */
export class Emitter<Value> {
  readonly #listeners = new Set<(value: Value) => unknown>();

  readonly event: Event<Value> = (listener) => {
    // The same function may listen twice.
    const own = (value: Value) => listener(value);
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  /** Calls all listeners there are now. One that throws stops no other: its error is uncaught, since it is a bug. */
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
