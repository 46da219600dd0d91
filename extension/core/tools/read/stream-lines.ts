// Reads a range of lines from a file that is too large for memory.

import { concatBytes, looksBinary, markedEncoding, READ_LIMIT } from '../../base/text/encoding.ts';
import { ToolError } from '../../base/tool-error.ts';
import { LONGEST_SECRET } from '../../secrets/secret-patterns.ts';
import { binaryFile } from '../common/existing-file.ts';
import { type LineRange, requireStart } from './line-range.ts';

const FEED = 0x0a;

export interface LinesInPlace {
  /** With their line ends. */
  readonly lines: Uint8Array;
  /** Whole lines before and after them, as far as a secret that includes a part of the lines can extend. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * The bytes of the lines; converts UTF-16 to UTF-8. Stops reading after the text around them. Rejects with
 * `ToolError` for a binary file, a start beyond the end, and lines of more than `READ_LIMIT` bytes.
 */
export async function streamLines(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  range: LineRange,
): Promise<LinesInPlace> {
  const selection = new LineSelection(range);
  for await (const chunk of asUtf8(path, chunks)) {
    if (selection.push(chunk)) break;
  }
  return selection.inPlace();
}

class LineSelection {
  readonly #range: LineRange;
  readonly #parts: Uint8Array[] = [];
  #size = 0;
  #before: Uint8Array = new Uint8Array();
  readonly #after: Uint8Array[] = [];
  #sizeAfter = 0;
  #toSkip: number;
  #toTake: number;
  #endsInFeed = true;

  constructor(range: LineRange) {
    this.#range = range;
    this.#toSkip = range.first - 1;
    this.#toTake = range.last - range.first + 1;
  }

  /** True once the last requested line and the text around it are complete. */
  push(chunk: Uint8Array): boolean {
    this.#endsInFeed = chunk.at(-1) === FEED;
    const skipped = passLines(chunk, 0, this.#toSkip);
    this.#toSkip -= skipped.lines;
    this.#before = endOf(concatBytes([this.#before, endOf(chunk.subarray(0, skipped.end))]));
    if (this.#toSkip > 0) return false;
    const taken = passLines(chunk, skipped.end, this.#toTake);
    this.#toTake -= taken.lines;
    this.#keep(chunk.subarray(skipped.end, taken.end));
    this.#after.push(chunk.subarray(taken.end));
    this.#sizeAfter += chunk.length - taken.end;
    return this.#sizeAfter > LONGEST_SECRET;
  }

  inPlace(): LinesInPlace {
    if (this.#size === 0) this.#refuseStart();
    const [before, after] = [this.#before, concatBytes(this.#after)];
    return {
      lines: concatBytes(this.#parts),
      before: before.subarray(before.length > LONGEST_SECRET ? before.indexOf(FEED) + 1 : 0),
      after: after.subarray(0, this.#sizeAfter > LONGEST_SECRET ? after.lastIndexOf(FEED) + 1 : after.length),
    };
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > READ_LIMIT) {
      throw new ToolError('these lines hold more than 10 MiB; ask for fewer, or cut them with bash', {
        code: 'invalid_input',
      });
    }
    this.#parts.push(part);
  }

  #refuseStart(): void {
    const complete = this.#range.first - 1 - this.#toSkip;
    requireStart(this.#range, complete + (this.#endsInFeed ? 0 : 1));
  }
}

/** Takes one byte more than needed, which shows that the text before it was cut. */
function endOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(Math.max(0, bytes.length - LONGEST_SECRET - 1));
}

/**
 * Skips at most `count` lines from `start`. Returns how many ended, and where; the chunk's end if fewer did.
 */
function passLines(chunk: Uint8Array, start: number, count: number): { lines: number; end: number } {
  let end = start;
  for (let lines = 0; lines < count; lines++) {
    const feed = chunk.indexOf(FEED, end);
    if (feed < 0) return { lines, end: chunk.length };
    end = feed + 1;
  }
  return { lines: count, end };
}

/** In UTF-8, a line feed is one byte, and never part of another character. */
async function* asUtf8(path: string, chunks: AsyncIterable<Uint8Array>) {
  let decoder: ReturnType<typeof utf16Decoder>;
  let first = true;
  for await (const chunk of chunks) {
    if (first) decoder = utf16Decoder(path, chunk);
    first = false;
    yield decoder ? new TextEncoder().encode(decoder.decode(chunk, { stream: true })) : chunk;
  }
}

function utf16Decoder(path: string, beginning: Uint8Array) {
  const encoding = markedEncoding(beginning);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return new TextDecoder(encoding);
  if (looksBinary(beginning)) throw binaryFile(path);
  return undefined;
}
