import type { Clock } from '../../ports/clock.ts';
import type { Entry } from '../entry.ts';

/** Waits until an entry may be played. Undefined if it need not wait. */
export type Pace = (entry: Entry) => Promise<void> | undefined;

/**
 * Returns a function that gives the recorded pause before an entry, in milliseconds. The caller must call it
 * once for each entry, in order.
 */
export function pauses(): (entry: Entry) => number {
  let last = 0;
  return ({ kind, at }) => {
    const passed = kind === 'open' ? 0 : at - last;
    last = at;
    return passed;
  };
}

/** Keeps the recorded pauses, divided by `factor`. */
export function atSpeed(clock: Clock, factor: number): Pace {
  const pauseBefore = pauses();
  return (entry) => {
    const ms = pauseBefore(entry) / factor;
    return ms >= 1 ? clock.sleep(ms, new AbortController().signal) : undefined;
  };
}

/** Awaits `next` before each entry that adds to the log. */
export function stepwise(next: () => Promise<void>): Pace {
  return (entry) => (entersLog(entry) ? next() : undefined);
}

export function entersLog(entry: Entry): boolean {
  return entry.kind === 'start' && entry.name === 'log.append';
}
