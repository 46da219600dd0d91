// Cuts a text to the length that a card shows.

interface CutText {
  readonly shown: string;
  /** The omitted lines, or the omitted rest of a single line that is too long. */
  readonly moreLines: number;
  readonly moreCharacters: number;
}

/** Characters of the shown lines at their usual length. */
const MAX_CHARACTERS = 20_000;

/** The first `limit` lines of `text`, and how much follows. */
export function cutText(text: string, limit: number): CutText {
  let end = 0;
  for (let line = 0; line < limit && end <= text.length; line += 1) {
    const next = endOfLine(text, end);
    if (next > MAX_CHARACTERS) return end === 0 ? firstCharacters(text) : cutAt(text, end);
    end = next + 1;
  }
  return cutAt(text, end);
}

/** `end` is the start of the first omitted line. */
function cutAt(text: string, end: number): CutText {
  if (end >= text.length) return { shown: text, moreLines: 0, moreCharacters: 0 };
  return { shown: text.slice(0, end - 1), moreLines: countLines(text, end), moreCharacters: 0 };
}

function firstCharacters(text: string): CutText {
  const end = endOfLine(text, 0);
  return {
    shown: text.slice(0, MAX_CHARACTERS),
    moreLines: end + 1 < text.length ? countLines(text, end + 1) : 0,
    moreCharacters: end - MAX_CHARACTERS,
  };
}

function countLines(text: string, from: number): number {
  let count = 0;
  for (let at = from; at < text.length; at = endOfLine(text, at) + 1) count += 1;
  return count;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
