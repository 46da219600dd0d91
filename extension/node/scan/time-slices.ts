import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work without a pause. */
const SLICE = 8;

/** Cuts long work into slices, so that the window stays responsive and hears a stop. */
export class TimeSlices {
  readonly #signal: AbortSignal | undefined;
  #begun = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Call between two steps of the work. Rejects as soon as the signal is aborted. */
  async rest(): Promise<void> {
    this.#signal?.throwIfAborted();
    if (performance.now() - this.#begun < SLICE) return;
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#begun = performance.now();
  }
}
