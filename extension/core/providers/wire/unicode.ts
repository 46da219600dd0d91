/**
 * The length of a text in UTF-8 bytes. A lone surrogate counts as U+FFFD, which an encoder writes instead.
 */
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
 * Replaces lone surrogates (halves of a split character) by U+FFFD. UTF-8 cannot represent them; JSON escapes
 * them, and the API refuses such escapes.
 */
export function wellFormedText(text: string): string {
  return text.toWellFormed();
}

/** True if plain data has no lone surrogate, including its keys. */
export function isWellFormed(data: unknown): boolean {
  if (typeof data === 'string') return data.isWellFormed();
  if (typeof data !== 'object' || data === null) return true;
  if (Array.isArray(data)) return data.every(isWellFormed);
  return Object.keys(data).every(isWellFormed) && Object.values(data).every(isWellFormed);
}

/**
 * Matches an escaped backslash first, so that the text after it does not count as an escape. Otherwise
 * matches the escape of a lone surrogate.
 */
const LONE_SURROGATE = /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * Does the same for every string in plain JSON data. Returns valid data unchanged; the order of keys stays.
 */
export function wellFormedData<T>(data: T): T {
  const json = JSON.stringify(data);
  const sound = json.replace(LONE_SURROGATE, (_, backslash?: string) => backslash ?? '\uFFFD');
  return sound === json ? data : JSON.parse(sound);
}
