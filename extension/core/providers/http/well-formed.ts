/**
 * Lone surrogates, the halves of a character that was cut in two, have no place in UTF-8: JSON carries them as escapes,
 * which the API refuses. They become U+FFFD.
 */
export function wellFormedText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

const known = new WeakMap<object, boolean>();

/** Plain data has no lone surrogate in it. Each part is looked at once, since it stays as it is. */
export function isWellFormed(data: unknown): boolean {
  if (typeof data === 'string') return !/\p{Surrogate}/u.test(data);
  if (typeof data !== 'object' || data === null) return true;
  const sound = known.get(data) ?? Object.entries(data).flat().every(isWellFormed);
  known.set(data, sound);
  return sound;
}

/** An escaped backslash, so that what follows it is not taken for an escape, or the escape of a lone surrogate. */
const LONE_SURROGATE = /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g;

/** The same for every string in plain JSON data. Sound data is returned as it is; the order of keys stays. */
export function wellFormedData<T>(data: T): T {
  const json = JSON.stringify(data);
  const sound = json.replace(LONE_SURROGATE, (_, backslash?: string) => backslash ?? '\uFFFD');
  return sound === json ? data : JSON.parse(sound);
}
