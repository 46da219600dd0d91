// Shortens a result to the limit of the model: cuts the middle out of its long texts.

type Result = Readonly<Record<string, unknown>>;

/**
 * Returns the result, or a copy with its longest strings cut, so that its JSON has about `maxChars`
 * characters. Only the notes about what was left out may exceed that. Cuts only strings at the top level, and
 * never splits a character.
 */
export function capResult(result: Result, maxChars: number): Result {
  const emptied = mapTexts(result, () => '');
  const room = maxChars - JSON.stringify(emptied).length;
  const lengths = Object.values(result)
    .filter((value) => typeof value === 'string')
    .map((text) => lengthUpTo(room, text));
  if (sum(lengths) <= room) return result;
  const limit = commonLimit(lengths, room);
  return mapTexts(result, (text) => cut(text, limit));
}

/**
 * As `capResult`, for the lines of a file: their numbers must stay right, so only the end is cut, after a
 * whole line.
 */
export function capLines(result: Result, maxChars: number): Result {
  const { content } = result;
  if (typeof content !== 'string' || JSON.stringify(result).length <= maxChars)
    return capResult(result, maxChars);
  const end = headWithin(content, maxChars);
  const lines = content.slice(0, content.lastIndexOf('\n', end - 1) + 1) || content.slice(0, end);
  const left = `${content.length - lines.length} characters after these lines are left out; read on with start_line`;
  const note = typeof result.note === 'string' ? `${result.note}; ${left}` : left;
  return { ...result, content: lines, note };
}

function mapTexts(result: Result, change: (text: string) => string): Result {
  const entries = Object.entries(result);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? change(value) : value]),
  );
}

/**
 * The largest limit per length with which the lengths add up to at most `room`. Long texts get the room that
 * short ones do not need.
 */
function commonLimit(lengths: readonly number[], room: number): number {
  let left = Math.max(room, 0);
  const ascending = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

function cut(text: string, limit: number): string {
  if (lengthUpTo(limit, text) <= limit) return text;
  const room = Math.max(limit - jsonLength(note(text.length)), 0);
  const head = headWithin(text, Math.ceil(room / 2));
  const tail = tailWithin(text, Math.floor(room / 2));
  return text.slice(0, head) + note(tail - head) + text.slice(tail);
}

function note(left: number): string {
  return `\n... (${left} characters left out; ask for a smaller part)\n`;
}

/** The end of the longest prefix that takes at most `room` characters in JSON. */
function headWithin(text: string, room: number): number {
  const end = (length: number) => (splitsCharacter(text, length) ? length - 1 : length);
  return end(longest(text, room, (length) => jsonLength(text.slice(0, end(length))) <= room));
}

/** The start of the longest suffix that takes at most `room` characters in JSON. */
function tailWithin(text: string, room: number): number {
  const start = (length: number) =>
    text.length - length + (splitsCharacter(text, text.length - length) ? 1 : 0);
  return start(longest(text, room, (length) => jsonLength(text.slice(start(length))) <= room));
}

/**
 * Finds the greatest length that fits, by binary search. Starts at `room`, because a character takes at least
 * its own length.
 */
function longest(text: string, room: number, fits: (length: number) => boolean): number {
  let least = 0;
  let most = Math.min(text.length, room);
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}

function splitsCharacter(text: string, index: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(index - 1, 0), index + 1));
}

/**
 * Like `jsonLength`, but infinite for a text longer than `most`, because encoding megabytes would take time.
 */
function lengthUpTo(most: number, text: string): number {
  return text.length > most ? Number.POSITIVE_INFINITY : jsonLength(text);
}

/** The length of the text between the quotes of a JSON string. */
function jsonLength(text: string): number {
  return JSON.stringify(text).length - 2;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
