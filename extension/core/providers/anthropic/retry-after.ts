const LIMITS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;

/**
 * How long the server asks to wait, in milliseconds from `now` (milliseconds since the epoch); undefined where it does
 * not say, or says nonsense.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  return (
    number(headers.get('retry-after-ms')) ??
    seconds(headers.get('retry-after')) ??
    until(headers.get('retry-after'), now)
  );
}

/**
 * The same from the latest reset of the limits that are used up. Every answer carries these headers, so they mean a wait
 * only where a limit was the reason. https://platform.claude.com/docs/en/api/rate-limits
 */
export function limitReset(headers: Headers, now: number): number | undefined {
  const waits = LIMITS.filter((limit) => !number(headers.get(`anthropic-ratelimit-${limit}-remaining`)))
    .map((limit) => until(headers.get(`anthropic-ratelimit-${limit}-reset`), now))
    .filter((wait) => wait !== undefined);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

function number(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function seconds(value: string | null): number | undefined {
  const amount = number(value);
  return amount === undefined ? undefined : amount * 1000;
}

/** An HTTP date or RFC 3339; what is past is no wait. */
function until(date: string | null, now: number): number | undefined {
  // `Date.parse` takes "-1" and "5x" for years.
  const time = date !== null && /\d:\d\d/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
