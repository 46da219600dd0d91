import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work without a pause. */
const SLICE = 8;

/** Cuts long work into slices, so that the window stays responsive. */
export class TimeSlices {
  #begun = performance.now();

  /** Call between two steps of the work. */
  async rest(): Promise<void> {
    if (performance.now() - this.#begun < SLICE) return;
    await nextTurn();
    this.#begun = performance.now();
  }
}
