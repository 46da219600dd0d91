import { expect, it } from 'vitest';
import { systemClock } from '../../../extension/node/system-clock.ts';

it('sleeps, and wakes at once when it is aborted', async () => {
  const before = systemClock.monotonic();
  await systemClock.sleep(20, new AbortController().signal);
  expect(systemClock.monotonic()).toBeGreaterThan(before);
  const abort = new AbortController();
  const sleeping = systemClock.sleep(1_000_000, abort.signal);
  abort.abort();
  await sleeping;
  await systemClock.sleep(1_000_000, abort.signal);
});
