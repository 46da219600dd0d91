// A JSON text that is too long to be held, read piece by piece: the same value, with its long strings cut.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** Of `#escape`: the byte that comes says what the escape is. */
const LETTER = 5;
const HEX_DIGITS = 4;

/** Bytes of a string that are kept. */
const KEPT = 2_000;

/** Takes a JSON text in pieces. It holds what is kept, and skips the inside of a long string. */
export class JsonShortener {
  readonly #limit: number;
  #kept: Buffer[] = [];
  #size = 0;
  #inString = false;
  /** Bytes of the current string that were kept. */
  #string = 0;
  /** Bytes of the current string that were not. */
  #left = 0;
  /** Bytes that still belong to an escape, or `LETTER`. */
  #escape = 0;
  /** What was skipped ends with a backslash that escapes what follows. */
  #isOdd = false;

  /** `limit` in bytes: a text that is longer even when its strings are cut is given up. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  feed(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (!this.#inString) at = this.#outside(piece, at);
      else at = this.#left > 0 ? this.#skip(piece, at) : this.#take(piece, at);
    }
  }

  /** Undefined where it was given up. */
  end(): Buffer | undefined {
    return this.#size > this.#limit ? undefined : Buffer.concat(this.#kept);
  }

  #outside(piece: Buffer, at: number): number {
    const quote = piece.indexOf(QUOTE, at);
    const end = quote < 0 ? piece.length : quote + 1;
    this.#keep(piece.subarray(at, end));
    this.#inString = quote >= 0;
    this.#string = 0;
    return end;
  }

  #take(piece: Buffer, at: number): number {
    let end = at;
    for (; end < piece.length; end += 1) {
      const byte = piece[end] ?? 0;
      if (this.#escape === 0 && byte === QUOTE) {
        this.#inString = false;
        end += 1;
        break;
      }
      if (this.#string >= KEPT && this.#escape === 0 && !isContinuation(byte)) {
        this.#left = 1;
        this.#isOdd = byte === BACKSLASH;
        this.#keep(piece.subarray(at, end));
        return end + 1;
      }
      this.#string += 1;
      this.#escape = escapeAfter(this.#escape, byte);
    }
    this.#keep(piece.subarray(at, end));
    return end;
  }

  #skip(piece: Buffer, at: number): number {
    const quote = piece.indexOf(QUOTE, at);
    const end = quote < 0 ? piece.length : quote;
    let backslashes = 0;
    while (end - backslashes > at && piece[end - backslashes - 1] === BACKSLASH) backslashes += 1;
    const isWhole = end - backslashes === at && this.#isOdd;
    this.#isOdd = backslashes % 2 === (isWhole ? 0 : 1);
    this.#left += end - at;
    if (quote < 0) return end;
    if (this.#isOdd) this.#left += 1;
    else this.#close();
    this.#isOdd = false;
    return end + 1;
  }

  #close(): void {
    this.#keep(Buffer.from(`… (${this.#left} bytes are left out here)"`));
    this.#left = 0;
    this.#inString = false;
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.#limit) this.#kept = [];
    // A part would keep the whole piece in memory.
    else this.#kept.push(Buffer.from(bytes));
  }
}

/** Of a character of UTF-8 that has more than one byte, all but the first. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function escapeAfter(pending: number, byte: number): number {
  if (pending === LETTER) return byte === LOWER_U ? HEX_DIGITS : 0;
  if (pending > 0) return pending - 1;
  return byte === BACKSLASH ? LETTER : 0;
}
