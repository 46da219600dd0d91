// The index of a log: its events without their long texts. To open a long session, Harness reads the index
// and the log's end. The file can be deleted at any time. Harness rejects and rebuilds an index that is
// damaged, of another version or of another log.
import { rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { crc32 } from 'node:zlib';
import * as z from 'zod/mini';
import { elide } from '../../core/log/elide.ts';
import { ALWAYS } from '../../core/log/event-buffer.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { readRange } from '../fs/read-file.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { type LogLine, logLines } from './log-lines.ts';
import { recordOf } from './read-record.ts';

const VERSION = 3;
/** Bytes at the end that are searched for the last line, which is short. */
const END_BYTES = 64 * 1024;
/** Start of a line that describes the lines before it. The last such line counts. */
const MARK = '=';
const LINE_FEED = Buffer.from('\n');

const indexEnd = z.object({
  version: z.literal(VERSION),
  /**
   * The log's size in bytes, and its modification time in milliseconds since the epoch, when Harness wrote
   * this line.
   */
  size: z.number(),
  mtime: z.number(),
  /** Number and SHA-256 of the log's last line at that time. */
  seq: z.number(),
  hash: z.string(),
  /** Offset of the last compaction in the log; 0 if there is none. */
  compaction: z.number(),
  /** CRC-32 of the log's first `size` bytes. */
  sum: z.number(),
  /** CRC-32 of everything in the index before this line. */
  crc: z.number(),
});

/** The part of an index that describes its log as a whole. */
export type IndexEnd = z.infer<typeof indexEnd>;

/** A line of the log, as the index stores it. */
export interface IndexEntry {
  readonly at: number;
  readonly length: number;
  /** Undefined for a type that this version does not know. */
  readonly event: SessionEvent | undefined;
}

/** The index belongs to another log, or is damaged. */
export class StaleIndexError extends Error {}

/** The log is damaged, so Harness writes no index for it. */
class UnsoundLogError extends Error {}

const EMPTY: IndexEnd = {
  version: VERSION,
  size: 0,
  mtime: 0,
  seq: 0,
  hash: '',
  compaction: 0,
  sum: 0,
  crc: 0,
};

/**
 * Reads the last line of the index of the log at `path`. Returns undefined if no index matches the current
 * log.
 */
export async function readIndexEnd(path: string): Promise<IndexEnd | undefined> {
  const found = await endAndLog(path);
  if (!found) return undefined;
  const { end, size, mtimeMs } = found;
  return size > end.size || (size === end.size && mtimeMs === end.mtime) ? end : undefined;
}

/**
 * Counts the events that the log at `path` lost at its end, as far as its index knows. Something other than
 * its writer cut them off. `seq` is the number of the last event, and `damaged` lines follow it.
 */
export async function eventsCutOff(path: string, seq: number, damaged = 0): Promise<number> {
  const { end, size = 0 } = (await endAndLog(path)) ?? {};
  return end && size < end.size ? Math.max(0, end.seq - seq - damaged) : 0;
}

/** Returns undefined if the index is missing or has an unknown format. */
async function endAndLog(path: string) {
  try {
    const { text } = await lastLine(indexOf(path));
    if (!text.startsWith(MARK)) return undefined;
    const end = indexEnd.parse(JSON.parse(text.slice(MARK.length)));
    const { size, mtimeMs } = await stat(path);
    return { end, size, mtimeMs };
  } catch {
    return undefined;
  }
}

/**
 * Yields the index entries of log lines that end before byte `before`, in order. Throws `StaleIndexError` at
 * the end if the index is not as Harness wrote it.
 */
export async function* readIndex(
  path: string,
  end: IndexEnd,
  before: number,
): AsyncGenerator<readonly IndexEntry[]> {
  const { at } = await lastLine(indexOf(path));
  const decoder = new StringDecoder();
  let crc = 0;
  let rest = '';
  let isBehind = false;
  for await (const piece of readRange(indexOf(path), 0, at)) {
    crc = crc32(piece, crc);
    if (isBehind) continue;
    const lines = (rest + decoder.write(piece)).split('\n');
    rest = lines.pop() ?? '';
    yield entriesIn(lines, before);
    isBehind = Number.parseInt(lines.at(-1) ?? '', 10) >= before;
  }
  if (crc !== end.crc) throw new StaleIndexError();
}

/**
 * Updates the index of the log at `path`. Only the log's writer may call this, and must not write meanwhile.
 * Rejects for a damaged log, which gets no index.
 */
export async function updateIndex(path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  // Harness buffers a shorter log in full anyway, so an index would gain nothing.
  if (size < ALWAYS) return;
  const known = await readIndexEnd(path);
  if (known?.size === size) return;
  const lines = linesOfIndex(path, known, { size, mtime: mtimeMs });
  if (known) await writeFile(indexOf(path), lines, { flag: 'a', mode: 0o600 });
  else await replaceFile(indexOf(path), lines);
}

/**
 * Whether the part of the log at `path` that `end` describes is unchanged. Reads all of that part. Resolves
 * with true if aborted.
 */
export async function isAsIndexed(path: string, end: IndexEnd, signal: AbortSignal): Promise<boolean> {
  const pieces = readRange(path, 0, end.size);
  let read = 0;
  let sum = 0;
  for await (const piece of pieces) {
    if (signal.aborted) return true;
    read += piece.length;
    sum = crc32(piece, sum);
  }
  // The log's writer notices a log that became shorter.
  return sum === end.sum || read < end.size;
}

/** Removes an unusable index. Closing the log writes a new one. */
export async function removeIndex(path: string): Promise<undefined> {
  // If the removal fails, Harness reads the whole log again.
  await rm(indexOf(path), { force: true }).catch(() => undefined);
}

function indexOf(path: string): string {
  return join(dirname(path), 'index.jsonl');
}

/** The last line of a file, and where it begins. */
async function lastLine(path: string): Promise<{ text: string; at: number }> {
  const { size } = await stat(path);
  const from = Math.max(0, size - END_BYTES);
  const pieces: Buffer[] = [];
  for await (const piece of readRange(path, from, size)) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  // Skips the last byte, which is the line feed that ends the line.
  const start = bytes.lastIndexOf(LINE_FEED, -2) + 1;
  return { text: bytes.toString('utf8', start), at: from + start };
}

function entriesIn(lines: readonly string[], before: number): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const line of lines) {
    if (line.startsWith(MARK)) continue;
    const first = line.indexOf(' ');
    const second = line.indexOf(' ', first + 1);
    const at = Number(line.slice(0, first));
    const length = Number(line.slice(first + 1, second));
    if (at + length >= before) break;
    // Harness wrote the entry from an event, and `crc` proves that no line has changed.
    const event =
      second === line.length - 1 ? undefined : (JSON.parse(line.slice(second + 1)) as SessionEvent);
    entries.push({ at, length, event });
  }
  return entries;
}

async function* linesOfIndex(
  path: string,
  known: IndexEnd | undefined,
  log: Pick<IndexEnd, 'size' | 'mtime'>,
): AsyncGenerator<Uint8Array> {
  const end = { ...(known ?? EMPTY) };
  // `crc` does not cover the line that states it, so that line is added now.
  if (known) end.crc = crc32(endLine(known), known.crc);
  for await (const lines of logLines(path, { from: end.size, to: log.size })) {
    const text = Buffer.from(lines.map((line) => entryOf(line, end)).join(''));
    end.crc = crc32(text, end.crc);
    yield text;
  }
  end.sum = await sumOf(path, end.size, log.size, end.sum);
  yield endLine({ ...end, ...log });
}

/** CRC-32 of the first `to` bytes of the file at `path`; `sum` is that of its first `from` bytes. */
async function sumOf(path: string, from: number, to: number, sum: number): Promise<number> {
  let result = sum;
  for await (const piece of readRange(path, from, to)) result = crc32(piece, result);
  return result;
}

function endLine(end: IndexEnd): Buffer {
  return Buffer.from(`${MARK}${JSON.stringify(end)}\n`);
}

/** Also updates `end` with the line. Throws `UnsoundLogError` for a damaged line. */
function entryOf(line: LogLine, end: IndexEnd): string {
  const record = recordOf(line);
  if (!record || !line.isEnded || record.prev !== end.hash || record.seq !== end.seq + 1)
    throw new UnsoundLogError();
  const { event } = record;
  end.seq = record.seq;
  end.hash = line.hash();
  if (event?.type === 'compaction') end.compaction = line.at;
  return `${line.at} ${line.length} ${event ? JSON.stringify(elide(event)) : ''}\n`;
}
