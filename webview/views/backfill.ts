import { type Accessor, createComputed, createSignal, on, onCleanup } from 'solid-js';

/** So many of the newest sections are drawn at once. */
const AT_ONCE = 3;
/** The rest is drawn in at most so many steps. */
const STEPS = 100;
/** Milliseconds of an idle moment below which no further step is begun, and after which one is taken anyway. */
const SPARE = 5;
const LONGEST_WAIT = 200;

export interface Backfill {
  isDrawn(index: number): boolean;
  drawAll(): void;
}

/**
 * Draws a long session from its end: the newest sections at once, the older ones when the page has nothing else to do.
 * Out of sight they have the height of an empty section, so nothing moves. It begins anew with each new list.
 */
export function createBackfill(sections: Accessor<readonly unknown[]>): Backfill {
  const [missing, setMissing] = createSignal(0);
  let step = 1;
  let moment = 0;

  const drawMore = (deadline: IdleDeadline) => {
    do setMissing((count) => Math.max(0, count - step));
    while (missing() > 0 && deadline.timeRemaining() > SPARE);
    drawSoon();
  };
  const drawSoon = () => {
    if (missing() > 0) moment = requestIdleCallback(drawMore, { timeout: LONGEST_WAIT });
  };
  const begin = (list: readonly unknown[]) => {
    cancelIdleCallback(moment);
    step = Math.ceil(list.length / STEPS);
    setMissing(Math.max(0, list.length - AT_ONCE));
    drawSoon();
  };
  createComputed(on(sections, begin));
  onCleanup(() => cancelIdleCallback(moment));
  return {
    isDrawn: (index) => index >= missing(),
    drawAll: () => setMissing(0),
  };
}
