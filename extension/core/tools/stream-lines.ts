// A range of lines out of a file that is too large to be held.
import { binaryFile } from './existing-file.ts';
import { type LineRange, requireStart } from './line-range.ts';
import { concatBytes, looksBinary, markedEncoding, READ_LIMIT } from './text-file.ts';
import { ToolError } from './tool.ts';

const FEED = 0x0a;

/**
 * The bytes of the lines, with their line ends; UTF-16 comes as UTF-8. Nothing is read beyond the last of them. Rejects
 * with `ToolError` for a binary file, a start beyond the end, and more than `READ_LIMIT` bytes of lines.
 */
export async function streamLines(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  range: LineRange,
): Promise<Uint8Array> {
  const selection = new LineSelection(range);
  for await (const chunk of asUtf8(path, chunks)) {
    if (selection.push(chunk)) break;
  }
  return selection.bytes();
}

class LineSelection {
  readonly #range: LineRange;
  readonly #parts: Uint8Array[] = [];
  #size = 0;
  #toSkip: number;
  #toTake: number;
  #endsInFeed = true;

  constructor(range: LineRange) {
    this.#range = range;
    this.#toSkip = range.first - 1;
    this.#toTake = range.last - range.first + 1;
  }

  /** True when the last wanted line is complete. */
  push(chunk: Uint8Array): boolean {
    this.#endsInFeed = chunk.at(-1) === FEED;
    const skipped = passLines(chunk, 0, this.#toSkip);
    this.#toSkip -= skipped.lines;
    if (this.#toSkip > 0) return false;
    const taken = passLines(chunk, skipped.end, this.#toTake);
    this.#toTake -= taken.lines;
    this.#keep(chunk.subarray(skipped.end, taken.end));
    return this.#toTake === 0;
  }

  bytes(): Uint8Array {
    if (this.#size === 0) this.#refuseStart();
    return concatBytes(this.#parts);
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > READ_LIMIT) {
      throw new ToolError('these lines hold more than 10 MiB; ask for fewer, or cut them with bash');
    }
    this.#parts.push(part);
  }

  #refuseStart(): void {
    const complete = this.#range.first - 1 - this.#toSkip;
    requireStart(this.#range, complete + (this.#endsInFeed ? 0 : 1));
  }
}

/** Walks over at most `count` lines from `start`: how many ended, and where that is (the chunk's end, if fewer did). */
function passLines(chunk: Uint8Array, start: number, count: number): { lines: number; end: number } {
  let end = start;
  for (let lines = 0; lines < count; lines++) {
    const feed = chunk.indexOf(FEED, end);
    if (feed < 0) return { lines, end: chunk.length };
    end = feed + 1;
  }
  return { lines: count, end };
}

/** A feed is one byte then, and no part of any other character. */
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
