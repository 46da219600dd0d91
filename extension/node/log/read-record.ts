import { parseEvent, type SessionEvent } from '../../protocol/events.ts';
import type { LogLine } from './log-lines.ts';

/** What stands in one line of a log. */
export interface LogRecord {
  readonly seq: number;
  readonly prev: string;
  readonly session: string;
  /** Undefined for a type of another version. */
  readonly event: SessionEvent | undefined;
}

/** Undefined for a damaged line: it is not JSON, or a known type with wrong fields. */
export function readRecord(line: Buffer | string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(line.toString());
    const event = parseEvent(value);
    if (event) return { seq: event.seq, prev: event.prev, session: event.session, event };
    const { type, seq, prev, session } = value as Record<string, unknown>;
    if (typeof type !== 'string' || typeof seq !== 'number' || typeof prev !== 'string') return undefined;
    return { seq, prev, session: String(session), event: undefined };
  } catch {
    // A damaged line is counted, not thrown.
    return undefined;
  }
}

/** The same for a line of a file. */
export function recordOf({ bytes }: LogLine): LogRecord | undefined {
  return readRecord(bytes);
}

/** The event in a line, undefined where that holds none. */
export function readEvent(line: Buffer | string): SessionEvent | undefined {
  return readRecord(line)?.event;
}
