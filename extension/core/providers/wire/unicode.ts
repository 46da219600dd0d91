/** How many bytes a text has in UTF-8; a lone surrogate counts as U+FFFD, which an encoder puts in its place. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(unit, text.charCodeAt(index + 1))) {
      bytes += 4;
      index++;
    } else bytes += 3;
  }
  return bytes;
}

function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

/**
 * Lone surrogates, the halves of a character that was cut in two, have no place in UTF-8: JSON carries them as escapes,
 * which the API refuses. They become U+FFFD.
 */
export function wellFormedText(text: string): string {
  return text.toWellFormed();
}

/** Plain data has no lone surrogate in it, its keys included. */
export function isWellFormed(data: unknown): boolean {
  if (typeof data === 'string') return data.isWellFormed();
  if (typeof data !== 'object' || data === null) return true;
  if (Array.isArray(data)) return data.every(isWellFormed);
  return Object.keys(data).every(isWellFormed) && Object.values(data).every(isWellFormed);
}

/** An escaped backslash, so that what follows it is not taken for an escape, or the escape of a lone surrogate. */
const LONE_SURROGATE = /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g;

/** The same for every string in plain JSON data. Sound data is returned as it is; the order of keys stays. */
export function wellFormedData<T>(data: T): T {
  const json = JSON.stringify(data);
  const sound = json.replace(LONE_SURROGATE, (_, backslash?: string) => backslash ?? '\uFFFD');
  return sound === json ? data : JSON.parse(sound);
}
