// A result that fits into what a model is given: the long texts in it lose their middle.

type Result = Readonly<Record<string, unknown>>;

/**
 * The result, or a copy whose longest strings are cut so that its JSON has about `maxChars` characters: never more but
 * for the notes of what was left out. Only strings at the top level are cut, and never through a character.
 */
export function capResult(result: Result, maxChars: number): Result {
  const excess = JSON.stringify(result).length - maxChars;
  if (excess <= 0) return result;
  const texts = Object.values(result).filter((value) => typeof value === 'string');
  const room = sum(texts.map(jsonLength)) - excess;
  const limit = commonLimit(texts.map(jsonLength), room);
  return Object.fromEntries(
    Object.entries(result).map(([key, value]) => [
      key,
      typeof value === 'string' ? cut(value, limit) : value,
    ]),
  );
}

/** The largest limit on each length with which they sum up to `room` at most: short texts leave theirs to the long. */
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
  if (jsonLength(text) <= limit) return text;
  const room = Math.max(limit - jsonLength(note(text.length)), 0);
  const head = headWithin(text, Math.ceil(room / 2));
  const tail = tailWithin(text, Math.floor(room / 2));
  return text.slice(0, head) + note(tail - head) + text.slice(tail);
}

function note(left: number): string {
  return `\n... (${left} characters left out; ask for a smaller part)\n`;
}

/** The end of the longest beginning that takes `room` characters in JSON. */
function headWithin(text: string, room: number): number {
  let index = 0;
  for (const character of text) {
    room -= jsonLength(character);
    if (room < 0) break;
    index += character.length;
  }
  return index;
}

/** The start of the longest end that takes `room` characters in JSON. */
function tailWithin(text: string, room: number): number {
  let index = text.length;
  while (index > 0) {
    const character = characterBefore(text, index);
    room -= jsonLength(character);
    if (room < 0) break;
    index -= character.length;
  }
  return index;
}

function characterBefore(text: string, index: number): string {
  const pair = text.slice(Math.max(index - 2, 0), index);
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair) ? pair : text.slice(index - 1, index);
}

/** What the text takes between the quotes of a JSON string. */
function jsonLength(text: string): number {
  return JSON.stringify(text).length - 2;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
