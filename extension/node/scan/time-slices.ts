import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds at a stretch. */
const SLICE = 8;

/** Cuts long work into slices, so that the window stays alive. */
export class TimeSlices {
  #begun = performance.now();

  /** Asked between two steps of the work. */
  async rest(): Promise<void> {
    if (performance.now() - this.#begun < SLICE) return;
    await nextTurn();
    this.#begun = performance.now();
  }
}
