// The lines of a log or of a recording, read in stretches: memory does not follow the length of the file.
import { type FileHandle, open } from 'node:fs/promises';
import { hashLine, LONGEST_LINE } from '../../core/log/hash-chain.ts';
import { say } from '../../protocol/say.ts';
import { readRange } from '../fs/read-file.ts';

export interface LogLine {
  /** Where it begins in the file. */
  readonly at: number;
  /** Bytes in the file, without the line feed. */
  readonly length: number;
  /** Of a line longer than `LONGEST_LINE`, which only `isRecording` reads, its beginning and its last two bytes. */
  readonly bytes: Buffer;
  /** A line feed follows. */
  readonly isEnded: boolean;
  /** SHA-256 (hex) of `bytes`. */
  hash(): string;
}

/** The line was too long to be read as a whole. */
export function isShortened({ bytes, length }: LogLine): boolean {
  return bytes.length !== length;
}

/** A log has a line that is longer than `LONGEST_LINE`. Harness writes none, so the file is refused and left as it is. */
export class LongLineError extends Error {
  /** `line`: its number, counted from 1; `at`: the byte where it begins. */
  constructor(
    path: string,
    readonly line: number,
    readonly at: number,
  ) {
    super(
      say(
        '{0} cannot be read: line {1} is longer than 16 MB, and Harness writes no such line. Nothing was changed. Put an older copy of the file in its place, or cut the file before that line.',
        path,
        line,
      ),
    );
  }
}

const STRETCH = 256 * 1024;
const LINE_FEED = 10;
/** Bytes of a longer line that are read of a recording. */
const BEGINNING = 256;
const END = 2;

export interface Stretch {
  /** Bytes of the file from which it is read. */
  readonly from?: number | undefined;
  /** Bytes of the file up to which it is read. */
  readonly to?: number | undefined;
  /** Lines longer than `LONGEST_LINE` are no error: they hold the bytes of a large file. */
  readonly isRecording?: true;
}

/**
 * The lines of the file at `path` that are not empty, those of a stretch together. Whoever asks waits for the disk in
 * between, and their bytes are gone when the next ones come. Throws `LongLineError` at a line that is too long, after all
 * that stands before it.
 */
export async function* logLines(path: string, stretch: Stretch = {}): AsyncGenerator<LogLine[]> {
  const file = await open(path);
  try {
    const cutter = new LineCutter(stretch.from ?? 0, stretch.isRecording);
    for await (const piece of piecesOf(file, stretch)) {
      yield cutter.feed(piece);
      if (cutter.isTooLong) throw new LongLineError(path, await lineAt(path, cutter.at), cutter.at);
    }
    yield cutter.end();
  } finally {
    await file.close();
  }
}

async function* piecesOf(file: FileHandle, { from = 0, to }: Stretch): AsyncGenerator<Buffer> {
  const end = to ?? (await file.stat()).size;
  // One for all, and no larger than what there is: what is left of others waits long for the collector.
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(STRETCH, end - from)));
  for (let at = from; at < end; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(STRETCH, end - at), at);
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
  /** Where the open line begins. */
  at: number;
  /** The open line is longer than a log may have, and nothing after it is read. */
  isTooLong = false;
  readonly #isRecording: boolean;
  #open: Buffer[] = [];
  #length = 0;
  #long: { readonly beginning: Buffer; end: Buffer } | undefined;

  constructor(at: number, isRecording = false) {
    this.at = at;
    this.#isRecording = isRecording;
  }

  /** The lines that end within the piece. */
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
