import type { Clock } from '../../ports/clock.ts';
import type { Entry } from '../entry.ts';

/** Waits until it is time for an entry; nothing where there is nothing to wait for. */
export type Pace = (entry: Entry) => Promise<void> | undefined;

/** How long after the last one each entry comes, in milliseconds; asked before each. */
export function pauses(): (entry: Entry) => number {
  let last = 0;
  return ({ kind, at }) => {
    const passed = kind === 'open' ? 0 : at - last;
    last = at;
    return passed;
  };
}

/** As long after one another as they were recorded, `factor` times as fast. */
export function atSpeed(clock: Clock, factor: number): Pace {
  const pauseBefore = pauses();
  return (entry) => {
    const ms = pauseBefore(entry) / factor;
    return ms >= 1 ? clock.sleep(ms, new AbortController().signal) : undefined;
  };
}

/** What enters the log waits for `next`. */
export function stepwise(next: () => Promise<void>): Pace {
  return (entry) => (entersLog(entry) ? next() : undefined);
}

export function entersLog(entry: Entry): boolean {
  return entry.kind === 'start' && entry.name === 'log.append';
}
