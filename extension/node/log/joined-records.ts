import { hashLine } from '../../core/log/hash-chain.ts';
import type { LogLine } from './log-lines.ts';
import { readRecord } from './read-record.ts';

/** How an event of ours begins. */
const BEGINNING = '{"type":"';
/** A line that holds more beginnings is not looked into: what a tool was given may be full of them. */
const MOST = 64;
const COMMA = 44;

/**
 * The intact records within a damaged line: the line feed between two was lost, or a writer went on behind what a dead one
 * had left in part.
 */
export function recordsWithin(line: LogLine): LogLine[] {
  const { at, bytes } = line;
  const starts = beginningsIn(bytes);
  const found: LogLine[] = [];
  for (let from = 0; from < starts.length; ) {
    const to = endOf(bytes, starts, from);
    if (to !== undefined) found.push(lineOf(at, bytes, starts[from] ?? 0, to));
    from = to === undefined ? from + 1 : starts.findIndex((start) => start >= to);
    if (from < 0) break;
  }
  return found;
}

/** A line that does not end holds no more than the first bytes of one record: it is being written, or its writer died. A loss of power leaves zeros. */
export function isBeginning(line: LogLine): boolean {
  return !line.bytes.includes(0) && recordsWithin(line).length === 0;
}

function beginningsIn(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(BEGINNING); at >= 0 && starts.length <= MOST; ) {
    starts.push(at);
    at = bytes.indexOf(BEGINNING, at + 1);
  }
  return starts.length > MOST ? [] : starts;
}

/**
 * Where the record ends that begins at `starts[from]`: at the end of the line, or before another one with at most one byte
 * in between, which was a line feed. A comma there would tell of objects in a list, which are no records.
 */
function endOf(bytes: Buffer, starts: readonly number[], from: number): number | undefined {
  for (const limit of [...starts.slice(from + 1), bytes.length]) {
    const to = bytes.lastIndexOf('}', limit - 1) + 1;
    const isApart = to === limit || (to === limit - 1 && bytes[to] !== COMMA);
    if (!isApart && limit < bytes.length) continue;
    if (to > (starts[from] ?? 0) && readRecord(bytes.subarray(starts[from], to))) return to;
  }
  return undefined;
}

function lineOf(at: number, bytes: Buffer, from: number, to: number): LogLine {
  const record = bytes.subarray(from, to);
  return { at: at + from, length: to - from, bytes: record, isEnded: false, hash: () => hashLine(record) };
}
