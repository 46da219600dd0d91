import type { ModelError } from '../ports/model.ts';

const BASE_MS = 1_000;
const CAP_MS = 30_000;
/** Harness waits as long as the server asks up to this limit; beyond it the user decides. */
const MAX_RETRY_AFTER_MS = 60_000;
const ATTEMPTS = 5;
/** Lower, because a retry must take back the output that the user saw. */
const ATTEMPTS_AFTER_OUTPUT = 2;

/** Milliseconds over which sessions with the same `retry-after` spread their retries. */
const SPREAD_MS = 1_000;

/**
 * Milliseconds to wait before attempt `attempt + 1` (attempts count from 1), or undefined if Harness gives up
 * and informs the user. The backoff is exponential with ±25 % jitter. Never shorter than the server's
 * `retry-after` plus up to a second of jitter.
 */
export function retryDelay(
  error: ModelError,
  attempt: number,
  hadOutput: boolean,
  random: () => number,
): number | undefined {
  if (!error.retryable || attempt >= (hadOutput ? ATTEMPTS_AFTER_OUTPUT : ATTEMPTS)) return undefined;
  const { retryAfterMs = 0 } = error;
  if (isTooLong(retryAfterMs)) return undefined;
  const chance = random();
  const backoff = Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)) * (0.75 + chance / 2);
  const asked = retryAfterMs === 0 ? 0 : retryAfterMs + SPREAD_MS * chance;
  return Math.round(Math.max(asked, backoff));
}

/** The server asks for a longer wait than a user would sit through. */
export function isTooLong(retryAfterMs: number): boolean {
  return retryAfterMs > MAX_RETRY_AFTER_MS;
}
