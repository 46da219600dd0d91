import type { Clock } from '../clock.ts';

/** Time that advances only on `advance`. */
export class ManualClock implements Clock {
  #now: number;
  #sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  constructor(now = 0) {
    this.#now = now;
  }

  /** How many sleeps are pending. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { until: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal.addEventListener('abort', () => this.#wake((other) => other === sleeper), { once: true });
    });
  }

  async yield(): Promise<void> {}

  advance(ms: number): void {
    this.#now += ms;
    this.#wake((sleeper) => sleeper.until <= this.#now);
  }

  #wake(due: (sleeper: { readonly until: number }) => boolean): void {
    const woken = this.#sleepers.filter(due);
    this.#sleepers = this.#sleepers.filter((sleeper) => !woken.includes(sleeper));
    for (const sleeper of woken) sleeper.wake();
  }
}
