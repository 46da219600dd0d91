const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * "14:05" in this computer's time zone, rounded up to a full minute. With the date if it is a day or more
 * after `now`.
 */
export function localTime(time: number, now: number): string {
  const date = new Date(Math.ceil(time / 60_000) * 60_000);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return time - now < DAY_MS
    ? clock
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
