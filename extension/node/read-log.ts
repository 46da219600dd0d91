// Reading a session's file: every intact event is kept, whatever happened to its neighbours.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CHAIN_START, type ChainHead, hashLine } from '../core/session/chain.ts';
import type { SessionEvent } from '../protocol/events.ts';
import { readRecord } from './read-record.ts';

export interface LogContent {
  readonly events: readonly SessionEvent[];
  /** The lines that can stay: intact ones, and those of a type that this version does not know. */
  readonly lines: readonly string[];
  /** Lines that hold no event of a log. */
  readonly damaged: number;
  /** Each line carries the hash of the one before it: none was changed, taken out or put in. */
  readonly chained: boolean;
  /** The last line did not end: its writer died. */
  readonly torn: boolean;
  readonly head: ChainHead;
}

/** Lines between two pauses: in an extension host, others wait. */
const STRETCH = 500;

export async function readLog(bytes: Buffer): Promise<LogContent> {
  const text = bytes.toString('utf8');
  const torn = text.length > 0 && !text.endsWith('\n');
  const events: SessionEvent[] = [];
  const lines: string[] = [];
  let damaged = 0;
  let chained = true;
  let head = CHAIN_START;
  for (const [index, line] of text.split('\n').entries()) {
    if (index % STRETCH === STRETCH - 1) await nextTurn();
    if (line === '') continue;
    const record = readRecord(line);
    if (!record) {
      damaged++;
      continue;
    }
    chained &&= record.prev === head.hash && record.seq === head.seq + 1;
    head = { seq: Math.max(record.seq, head.seq + 1), hash: hashLine(line) };
    lines.push(line);
    if (record.event) events.push(record.event);
  }
  return { events, lines, damaged, torn, chained, head };
}
