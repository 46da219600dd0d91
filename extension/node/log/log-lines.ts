// The lines of a log, read in stretches: memory follows neither the length of the file nor that of a line.
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { hashLine, LONGEST_LINE } from '../../core/log/hash-chain.ts';
import { JsonShortener } from './shorten-json.ts';

export interface LogLine {
  /** Where it begins in the file. */
  readonly at: number;
  /** Bytes in the file, without the line feed. */
  readonly length: number;
  /** Of a line longer than `LONGEST_LINE`, the same JSON with its long strings cut; empty where that is not short either. */
  readonly bytes: Buffer;
  /** A line feed follows. */
  readonly isEnded: boolean;
  /** SHA-256 (hex) of the whole line. */
  hash(): string;
}

/** The line was too long to be read as it is, and its long strings are cut. */
export function isShortened({ bytes, length }: LogLine): boolean {
  return bytes.length !== length;
}

/** Bytes that are read of a line longer than `LONGEST_LINE`. Harness writes none; older versions did, and others may. */
const LONGEST_SHORTENED = 64 * 1024 * 1024;
const STRETCH = 256 * 1024;
const LINE_FEED = 10;

export interface Stretch {
  /** Bytes of the file from which it is read. */
  readonly from?: number;
  /** Bytes of the file up to which it is read. */
  readonly to?: number;
}

/**
 * The lines of the file at `path` that are not empty, those of a stretch together. Whoever asks waits for the disk in
 * between, and their bytes are gone when the next ones come.
 */
export async function* logLines(path: string, { from = 0, to }: Stretch = {}): AsyncGenerator<LogLine[]> {
  const file = await open(path);
  try {
    yield* linesIn(file, from, to ?? (await file.stat()).size);
  } finally {
    await file.close();
  }
}

async function* linesIn(file: FileHandle, from: number, to: number): AsyncGenerator<LogLine[]> {
  const cutter = new LineCutter(from);
  // One for all, and no larger than what there is: what is left of others waits long for the collector.
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(STRETCH, to - from)));
  for (let at = from; at < to; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(STRETCH, to - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    yield cutter.feed(buffer.subarray(0, bytesRead));
  }
  yield cutter.end();
}

class LineCutter {
  /** Where the open line begins. */
  #at: number;
  #open: Buffer[] = [];
  #length = 0;
  #long: LongLine | undefined;

  constructor(at: number) {
    this.#at = at;
  }

  /** The lines that end within the piece. */
  feed(piece: Buffer): LogLine[] {
    const lines: LogLine[] = [];
    let start = 0;
    for (let feed = piece.indexOf(LINE_FEED); feed >= 0; feed = piece.indexOf(LINE_FEED, start)) {
      this.#take(piece.subarray(start, feed));
      lines.push(...this.#cut(true));
      start = feed + 1;
    }
    this.#take(this.#long ? piece.subarray(start) : Buffer.from(piece.subarray(start)));
    return lines;
  }

  end(): LogLine[] {
    return this.#cut(false);
  }

  #take(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    if (this.#length > LONGEST_LINE && !this.#long) {
      this.#long = new LongLine();
      for (const earlier of this.#open) this.#long.feed(earlier);
      this.#open = [];
    }
    if (this.#long) this.#long.feed(bytes);
    else this.#open.push(bytes);
  }

  #cut(isEnded: boolean): LogLine[] {
    const at = this.#at;
    const length = this.#length;
    const line = this.#long?.read() ?? wholeLine(this.#open);
    this.#at += length + 1;
    this.#open = [];
    this.#length = 0;
    this.#long = undefined;
    return length === 0 ? [] : [{ at, length, isEnded, ...line }];
  }
}

type Read = Pick<LogLine, 'bytes' | 'hash'>;

function wholeLine(parts: readonly Buffer[]): Read {
  const [only = Buffer.alloc(0)] = parts;
  const bytes = parts.length > 1 ? Buffer.concat(parts) : only;
  return { bytes, hash: () => hashLine(bytes) };
}

class LongLine {
  readonly #hash: Hash = createHash('sha256');
  readonly #shortener = new JsonShortener(LONGEST_SHORTENED);

  feed(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.#shortener.feed(bytes);
  }

  read(): Read {
    const hash = this.#hash.digest('hex');
    return { bytes: this.#shortener.end() ?? Buffer.alloc(0), hash: () => hash };
  }
}
