// What a log says without its long texts, beside the log, so that opening a long session reads that and the log's end. The
// file can be deleted at any time; one that is damaged, of another version or of another log is not believed, and made anew.
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
/** Bytes from the end in which the last line is looked for: it is short. */
const END_BYTES = 64 * 1024;
/** How the line begins that says what the lines before it hold. The last one counts. */
const MARK = '=';
const LINE_FEED = Buffer.from('\n');

const indexEnd = z.object({
  version: z.literal(VERSION),
  /** Of the log, when this was written: bytes, and milliseconds since the epoch. */
  size: z.number(),
  mtime: z.number(),
  /** Number and SHA-256 of the log's last line then. */
  seq: z.number(),
  hash: z.string(),
  /** Where the last compaction begins in the log; 0 where there is none. */
  compaction: z.number(),
  /** CRC-32 of the log's first `size` bytes. */
  sum: z.number(),
  /** CRC-32 of all that stands before this line. */
  crc: z.number(),
});

/** What an index says of its log as a whole. */
export type IndexEnd = z.infer<typeof indexEnd>;

/** A line of the log as the index has it. */
export interface IndexEntry {
  readonly at: number;
  readonly length: number;
  /** Undefined for a type of another version. */
  readonly event: SessionEvent | undefined;
}

/** The index is not that of this log, or was damaged. */
export class StaleIndexError extends Error {}

/** A log with damage gets no index. */
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

/** How the index of the log at `path` ends; undefined where it has none that holds for the log as it is now. */
export async function readIndexEnd(path: string): Promise<IndexEnd | undefined> {
  const found = await endAndLog(path);
  if (!found) return undefined;
  const { end, size, mtimeMs } = found;
  return size > end.size || (size === end.size && mtimeMs === end.mtime) ? end : undefined;
}

/**
 * How many events the log at `path` has lost at its end, as far as its index knows: something else than its writer has cut it
 * off. Its last event is number `seq`, and `damaged` lines are behind that.
 */
export async function eventsCutOff(path: string, seq: number, damaged = 0): Promise<number> {
  const { end, size = 0 } = (await endAndLog(path)) ?? {};
  return end && size < end.size ? Math.max(0, end.seq - seq - damaged) : 0;
}

/** Undefined where there is no index, or not one that we understand. */
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
 * What the index of the log at `path` has of those of its lines that end before byte `before`, in order. Throws
 * `StaleIndexError` in the end where it is not as it was written.
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

/** Brings the index of the log at `path` up to date. For its writer, who writes nothing meanwhile. A log with damage gets none. */
export async function updateIndex(path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  // Less is held whole in any case.
  if (size < ALWAYS) return;
  const known = await readIndexEnd(path);
  if (known?.size === size) return;
  const lines = linesOfIndex(path, known, { size, mtime: mtimeMs });
  if (known) await writeFile(indexOf(path), lines, { flag: 'a', mode: 0o600 });
  else await replaceFile(indexOf(path), lines);
}

/** Whether the part of the log at `path` that `end` stands for is still what it was. Reads all of it; true once it is aborted. */
export async function isAsIndexed(path: string, end: IndexEnd, signal: AbortSignal): Promise<boolean> {
  const pieces = readRange(path, 0, end.size);
  let read = 0;
  let sum = 0;
  for await (const piece of pieces) {
    if (signal.aborted) return true;
    read += piece.length;
    sum = crc32(piece, sum);
  }
  // One that has become shorter is noticed by who writes it.
  return sum === end.sum || read < end.size;
}

/** What cannot be used is made anew when the log is closed. */
export async function removeIndex(path: string): Promise<undefined> {
  // Whoever cannot remove it reads the whole log again.
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
  // The last byte is the line feed that ends it.
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
    // We wrote it from an event, and the sum over all lines says that it is as it was written.
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
  // What `crc` stands for does not hold the line that it stands in.
  if (known) end.crc = crc32(endLine(known), known.crc);
  for await (const lines of logLines(path, { from: end.size, to: log.size })) {
    const text = Buffer.from(lines.map((line) => entryOf(line, end)).join(''));
    end.crc = crc32(text, end.crc);
    yield text;
  }
  end.sum = await sumOf(path, end.size, log.size, end.sum);
  yield endLine({ ...end, ...log });
}

/** CRC-32 of the bytes of the file at `path` before `to`, of which `sum` is that of those before `from`. */
async function sumOf(path: string, from: number, to: number, sum: number): Promise<number> {
  let result = sum;
  for await (const piece of readRange(path, from, to)) result = crc32(piece, result);
  return result;
}

function endLine(end: IndexEnd): Buffer {
  return Buffer.from(`${MARK}${JSON.stringify(end)}\n`);
}

/** Puts the line into `end`, too. */
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
