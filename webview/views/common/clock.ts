import { type Accessor, createEffect, createSignal, onCleanup } from 'solid-js';

/** The time in milliseconds, updated once a second while `isRunning`. Otherwise there is no timer. */
export function createClock(isRunning: Accessor<boolean>): Accessor<number> {
  const [now, setNow] = createSignal(Date.now());
  createEffect(() => {
    if (!isRunning()) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    onCleanup(() => clearInterval(timer));
  });
  return now;
}
