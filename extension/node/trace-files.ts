// Writes the log of each turn to its own file. Removes the oldest files if their folder grows too large.
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../core/ports/logger.ts';
import type { TraceRecord, TraceSink, TurnSink } from '../core/ports/trace-sink.ts';
import { prettyRecord } from '../core/trace/format-record.ts';
import { type LoggedTurn, parseLog } from '../core/trace/replay-trace.ts';

export interface TraceFilesOptions {
  /** Harness makes a missing folder, for the user alone. */
  readonly folder: string;
  readonly logger: Logger;
  /** `jsonl`: for programs, such as `loadLog`. `pretty`: for people, in `.log` files. */
  readonly format?: 'jsonl' | 'pretty';
  /** Maximum bytes of one file. */
  readonly maxFileBytes?: number;
  /** Maximum bytes of all files together, including a new one. */
  readonly maxFolderBytes?: number;
}

const MAX_FILE_BYTES = 16_000_000;
const MAX_FOLDER_BYTES = 128_000_000;
const NAME = /^turn-.+\.(jsonl|log)$/;

export class TraceFiles implements TraceSink {
  readonly #options: Required<TraceFilesOptions>;
  /** One promise for each file that is not complete. */
  readonly #open = new Set<Promise<void>>();

  constructor(options: TraceFilesOptions) {
    const defaults = {
      format: 'jsonl',
      maxFileBytes: MAX_FILE_BYTES,
      maxFolderBytes: MAX_FOLDER_BYTES,
    } as const;
    this.#options = { ...defaults, ...options };
  }

  open(): TurnSink {
    const { folder, format, maxFileBytes, maxFolderBytes, logger } = this.#options;
    const stamp = new Date().toISOString().replaceAll(':', '-').replace('Z', '');
    const ending = format === 'jsonl' ? 'jsonl' : 'log';
    const path = join(folder, `turn-${stamp}-${randomBytes(3).toString('hex')}.${ending}`);
    const ready = makeRoom(folder, maxFolderBytes - maxFileBytes);
    const file = new TraceFile(
      path,
      ready,
      maxFileBytes,
      format === 'jsonl' ? toLine : toPrettyLine,
      (error) => logger.warn(`A turn’s log could not be written to ${folder}: ${String(error)}`),
    );
    this.#open.add(file.closed);
    void file.closed.then(() => this.#open.delete(file.closed));
    return file;
  }

  /** Resolves when every turn has ended and its file is complete. */
  async close(): Promise<void> {
    await Promise.all(this.#open);
  }
}

/**
 * Loads the turn from a `.jsonl` file; from a damaged file, its intact part. Rejects if the file cannot be
 * read.
 */
export async function loadLog(path: string): Promise<LoggedTurn> {
  return parseLog(await readFile(path, 'utf8'));
}

class TraceFile implements TurnSink {
  /** Never rejects. */
  readonly closed: Promise<void>;
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #toLine: (record: TraceRecord) => string;
  readonly #onFailure: (error: unknown) => void;
  #waiting = '';
  #bytes = 0;
  #isCut = false;
  #writing: Promise<void>;
  #close = () => {};

  constructor(
    path: string,
    ready: Promise<void>,
    maxBytes: number,
    toLine: (record: TraceRecord) => string,
    onFailure: (error: unknown) => void,
  ) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#toLine = toLine;
    this.#onFailure = onFailure;
    const ended = new Promise<void>((resolve) => {
      this.#close = resolve;
    });
    this.#writing = ready.catch((error: unknown) => this.#fail(error));
    this.closed = ended.then(() => this.#writing);
  }

  write(record: TraceRecord): void {
    if (this.#isCut) return;
    const line = this.#toLine(record);
    this.#isCut = this.#bytes + line.length > this.#maxBytes;
    const taken = this.#isCut ? this.#toLine({ ts: record.ts, type: 'cut' }) : line;
    this.#bytes += taken.length;
    if (this.#waiting === '') this.#writing = this.#writing.then(() => this.#drain());
    this.#waiting += taken;
  }

  close(): void {
    this.#close();
  }

  async #drain(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    await appendFile(this.#path, text, { mode: 0o600 }).catch((error: unknown) => this.#fail(error));
  }

  /** Reports the first failure only, and does not write the rest of the turn. */
  #fail(error: unknown): void {
    if (!this.#isCut) this.#onFailure(error);
    this.#isCut = true;
  }
}

function toLine(record: TraceRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function toPrettyLine(record: TraceRecord): string {
  const line = prettyRecord(record);
  return line === '' ? '' : `${record.ts} ${line}\n`;
}

/** Removes the oldest logs until the others have at most `maxBytes` bytes. */
async function makeRoom(folder: string, maxBytes: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder))
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
  let bytes = 0;
  for (const name of names) {
    const path = join(folder, name);
    bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
    if (bytes > maxBytes) await rm(path, { force: true });
  }
}
