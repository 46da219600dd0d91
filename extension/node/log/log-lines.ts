// Reads the lines of a log or a recording in chunks, so memory use does not depend on the file's length.
import { type FileHandle, open } from 'node:fs/promises';
import { hashLine, LONGEST_LINE } from '../../core/log/hash-chain.ts';
import { say } from '../../protocol/say.ts';
import { readRange } from '../fs/read-file.ts';

export interface LogLine {
  /** Offset of the line in the file, in bytes. */
  readonly at: number;
  /** Length in bytes, without the line feed. */
  readonly length: number;
  /**
   * Of a line longer than `LONGEST_LINE`, which only `isRecording` reads, the beginning and the last two
   * bytes.
   */
  readonly bytes: Buffer;
  /** A line feed follows. */
  readonly isEnded: boolean;
  /** SHA-256 (hex) of `bytes`. */
  hash(): string;
}

/** Whether the line was too long to read whole. */
export function isShortened({ bytes, length }: LogLine): boolean {
  return bytes.length !== length;
}

/**
 * A log has a line longer than `LONGEST_LINE`. Harness writes none, so it refuses the file and does not
 * change it.
 */
export class LongLineError extends Error {
  /** `line` is counted from 1; `at` is the byte where the line begins. */
  constructor(
    path: string,
    readonly line: number,
    readonly at: number,
  ) {
    super(
      say(
        'Could not read {0}: line {1} is longer than 16 MB, and Harness never writes such a line. Nothing was changed. Replace the file with an older copy, or remove that line and everything after it.',
        path,
        line,
      ),
    );
  }
}

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;
/** Bytes that are read from the beginning and from the end of a longer line in a recording. */
const BEGINNING = 256;
const END = 2;

export interface LogRange {
  /** Byte at which reading starts. */
  readonly from?: number | undefined;
  /** Byte before which reading stops. */
  readonly to?: number | undefined;
  /** Allows lines longer than `LONGEST_LINE`, which hold the bytes of a large file. */
  readonly isRecording?: true;
}

/**
 * Yields the non-empty lines of the file at `path`, one batch per chunk. The bytes of a batch are valid until
 * the caller asks for the next one. Throws `LongLineError` at a line that is too long, after it has yielded
 * all lines before it.
 */
export async function* logLines(path: string, range: LogRange = {}): AsyncGenerator<LogLine[]> {
  const file = await open(path);
  try {
    const cutter = new LineCutter(range.from ?? 0, range.isRecording);
    for await (const piece of piecesOf(file, range)) {
      yield cutter.feed(piece);
      if (cutter.isTooLong) throw new LongLineError(path, await lineAt(path, cutter.at), cutter.at);
    }
    yield cutter.end();
  } finally {
    await file.close();
  }
}

async function* piecesOf(file: FileHandle, { from = 0, to }: LogRange): AsyncGenerator<Buffer> {
  const end = to ?? (await file.stat()).size;
  // All chunks share one buffer, no larger than the file, because the garbage collector frees leftover
  // buffers late.
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(CHUNK_BYTES, end - from)));
  for (let at = from; at < end; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK_BYTES, end - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The number of the line that begins at byte `at`. */
async function lineAt(path: string, at: number): Promise<number> {
  let line = 1;
  for await (const piece of readRange(path, 0, at))
    for (let feed = piece.indexOf(LINE_FEED); feed >= 0; feed = piece.indexOf(LINE_FEED, feed + 1)) line += 1;
  return line;
}

class LineCutter {
  /** Offset of the line that has not ended yet. */
  at: number;
  /** The unended line is longer than a log allows. Nothing after it is read. */
  isTooLong = false;
  readonly #isRecording: boolean;
  #open: Buffer[] = [];
  #length = 0;
  #long: { readonly beginning: Buffer; end: Buffer } | undefined;

  constructor(at: number, isRecording = false) {
    this.at = at;
    this.#isRecording = isRecording;
  }

  /** Returns the lines that end within the chunk. */
  feed(piece: Buffer): LogLine[] {
    const lines: LogLine[] = [];
    let start = 0;
    for (let feed = piece.indexOf(LINE_FEED); feed >= 0; feed = piece.indexOf(LINE_FEED, start)) {
      this.#take(piece.subarray(start, feed));
      if (this.isTooLong) return lines;
      lines.push(...this.#cut(true));
      start = feed + 1;
    }
    this.#take(Buffer.from(piece.subarray(start)));
    return lines;
  }

  end(): LogLine[] {
    return this.#cut(false);
  }

  #take(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    this.isTooLong = this.#length > LONGEST_LINE && !this.#isRecording;
    if (this.#length <= LONGEST_LINE) this.#open.push(bytes);
    else this.#shorten(bytes);
  }

  #shorten(bytes: Buffer): void {
    this.#long ??= { beginning: Buffer.concat(this.#open).subarray(0, BEGINNING), end: Buffer.alloc(0) };
    this.#open = [];
    this.#long.end = Buffer.concat([this.#long.end, bytes.subarray(-END)]).subarray(-END);
  }

  #cut(isEnded: boolean): LogLine[] {
    const { at } = this;
    const length = this.#length;
    const [only = Buffer.alloc(0)] = this.#open;
    const parts = this.#long ? [this.#long.beginning, this.#long.end] : this.#open;
    const bytes = parts.length > 1 ? Buffer.concat(parts) : only;
    this.at += length + 1;
    this.#open = [];
    this.#length = 0;
    this.#long = undefined;
    return length === 0 ? [] : [{ at, length, bytes, isEnded, hash: () => hashLine(bytes) }];
  }
}
