import { type Accessor, createComputed, createSignal, on, onCleanup } from 'solid-js';

/** So many of the newest sections are drawn at once, and so many older ones in each idle moment after that. */
const AT_ONCE = 3;
const AT_A_TIME = 2;

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
  let moment = 0;

  const drawMore = () => {
    setMissing((count) => Math.max(0, count - AT_A_TIME));
    if (missing() > 0) moment = requestIdleCallback(drawMore);
  };
  const begin = (list: readonly unknown[]) => {
    cancelIdleCallback(moment);
    setMissing(Math.max(0, list.length - AT_ONCE));
    if (missing() > 0) moment = requestIdleCallback(drawMore);
  };
  createComputed(on(sections, begin));
  onCleanup(() => cancelIdleCallback(moment));
  return {
    isDrawn: (index) => index >= missing(),
    drawAll: () => setMissing(0),
  };
}
