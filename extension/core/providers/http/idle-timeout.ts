import type { Clock } from '../../ports/clock.ts';

/** A connection is given up when nothing comes over it for too long. The SDK's own timeout ends at the headers. */
export interface IdleTimeout {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Something came. */
  touch(): void;
  /** All that matters has come: gives up after `ms`, however much still comes. */
  expireIn(ms: number): void;
  /** Clears the timers; to be called when the connection is no longer waited for. */
  stop(): void;
}

/** More than a busy machine is late: it slept, and what arrived in the meantime has not been read yet. */
const OVERSLEPT_MS = 30_000;

/** Starts to wait; for ever where `limitMs` is infinite. At most one timer runs per `limitMs`, however much comes. */
export function startIdleTimeout(clock: Clock, limitMs: number): IdleTimeout {
  const expired = new AbortController();
  const stopped = new AbortController();
  let last = clock.monotonic();

  const wait = async () => {
    while (!stopped.signal.aborted) {
      const due = last + limitMs;
      const now = clock.monotonic();
      if (now >= due) return expired.abort();
      await clock.sleep(due - now, stopped.signal);
      if (clock.monotonic() - due > OVERSLEPT_MS) last = clock.monotonic();
    }
  };
  if (Number.isFinite(limitMs)) void wait();

  return {
    signal: expired.signal,
    touch: () => {
      last = clock.monotonic();
    },
    expireIn: (ms) => {
      void clock.sleep(ms, stopped.signal).then(() => expired.abort());
    },
    stop: () => stopped.abort(),
  };
}
