const LIMITS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;
const SPANS = ['requests', 'tokens'] as const;

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
  const waits = [
    ...usedUp(headers, LIMITS, 'anthropic-ratelimit-$-remaining').map((limit) =>
      until(headers.get(`anthropic-ratelimit-${limit}-reset`), now),
    ),
    ...usedUp(headers, SPANS, 'x-ratelimit-remaining-$').map((limit) =>
      span(headers.get(`x-ratelimit-reset-${limit}`)),
    ),
  ].filter((wait) => wait !== undefined);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** The limits of which nothing remains, or of which that is not told. `$` stands for one. */
function usedUp(headers: Headers, limits: readonly string[], name: string): string[] {
  return limits.filter((limit) => !number(headers.get(name.replace('$', limit))));
}

const SPAN = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/;

/** "6m0s", "12ms": https://developers.openai.com/api/docs/guides/rate-limits */
function span(value: string | null): number | undefined {
  const parts = value ? SPAN.exec(value) : null;
  if (!parts) return undefined;
  const [hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return Math.ceil(((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds);
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
