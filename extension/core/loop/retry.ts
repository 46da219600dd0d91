import type { ModelError } from '../ports/model.ts';

const BASE_MS = 1_000;
const CAP_MS = 30_000;
/** A wait that the server asks for is kept up to this; beyond it the user decides. */
const MAX_RETRY_AFTER_MS = 60_000;
const ATTEMPTS = 5;
/** Once something of the reply was shown it has to be taken back, so fewer. */
const ATTEMPTS_AFTER_OUTPUT = 2;

/** Sessions that were told the same `retry-after` come back apart, within this. */
const SPREAD_MS = 1_000;

/**
 * Milliseconds to wait before attempt `attempt + 1` (attempts count from 1), or undefined when it is time to tell the
 * user instead. Exponential with ±25 % jitter; a server's own `retry-after` is never undercut, and exceeded by up to a
 * second.
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

/** The server asks for more than anybody sits and waits for. */
export function isTooLong(retryAfterMs: number): boolean {
  return retryAfterMs > MAX_RETRY_AFTER_MS;
}
