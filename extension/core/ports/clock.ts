/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since the epoch; for display, never for intervals. */
  now(): number;
  /** Milliseconds from an arbitrary start that never run backwards. */
  monotonic(): number;
  /** Resolves after `ms`, or immediately when the signal is aborted; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves after everything else due in this process has had its turn: timers, other streams, the user's
   * clicks.
   */
  yield(): Promise<void>;
}
