// Reading a session's file: every intact event is kept, whatever happened to its neighbours.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CHAIN_START, type ChainHead, hashLine } from '../core/session/chain.ts';
import { parseEvent, type SessionEvent } from '../protocol/events.ts';

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
    const record = readLine(line);
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

/** The event in a line, undefined where that holds none. */
export function readEvent(line: string): SessionEvent | undefined {
  return readLine(line)?.event;
}

interface Line {
  readonly seq: number;
  readonly prev: string;
  /** Undefined for a type of another version. */
  readonly event: SessionEvent | undefined;
}

function readLine(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const event = parseEvent(value);
    if (event) return { seq: event.seq, prev: event.prev, event };
    const { type, seq, prev } = value as Record<string, unknown>;
    if (typeof type !== 'string' || typeof seq !== 'number' || typeof prev !== 'string') return undefined;
    return { seq, prev, event: undefined };
  } catch {
    // Not JSON, or a known type with wrong fields: a damaged line is counted, not thrown.
    return undefined;
  }
}
