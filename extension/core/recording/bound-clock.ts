import type { Clock } from '../ports/clock.ts';
import type { Exchange } from './exchange.ts';

/** The same clock, asked through `exchange`; `whose` tells it from others in the recording. */
export function boundClock(clock: Clock, exchange: Exchange, whose = ''): Clock {
  return {
    now: () => exchange.read(`${whose}now`, () => clock.now()),
    // Thousandths of a millisecond are more than anybody looks at.
    monotonic: () => exchange.read(`${whose}monotonic`, () => Math.round(clock.monotonic() * 1000) / 1000),
    sleep: (ms, signal) => exchange.call(`${whose}clock.sleep`, [ms], () => clock.sleep(ms, signal)),
    yield: () => exchange.call(`${whose}clock.yield`, [], () => clock.yield()),
  };
}
