import { hashLine } from '../../core/log/hash-chain.ts';
import type { LogLine } from './log-lines.ts';
import { readRecord } from './read-record.ts';

/** How Harness begins an event. */
const BEGINNING = '{"type":"';
/** A line with more beginnings is not searched, because tool input may be full of them. */
const MOST = 64;
const COMMA = 44;

/**
 * Finds intact records inside a damaged line. The line feed between two records was lost, or a writer
 * continued behind a dead writer's partial record.
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

/**
 * Whether an unended line is only the start of one record: its writer still writes it, or died. A power loss
 * leaves zeros, so a line with zeros is damaged.
 */
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
 * Finds the end of the record that begins at `starts[from]`. It is the end of the line, or at most one byte
 * before the next beginning; that byte was a line feed. A comma there would mean objects in a list, which are
 * not records.
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
