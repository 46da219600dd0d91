import { parseEvent, type SessionEvent } from '../../protocol/events.ts';
import type { LogLine } from './log-lines.ts';

/** The content of one log line. */
export interface LogRecord {
  readonly seq: number;
  readonly prev: string;
  readonly session: string;
  /** Undefined for a type that this version does not know. */
  readonly event: SessionEvent | undefined;
}

/** Returns undefined for a damaged line: it is not JSON, or has a known type with wrong fields. */
export function readRecord(line: Buffer | string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(line.toString());
    const event = parseEvent(value);
    if (event) return { seq: event.seq, prev: event.prev, session: event.session, event };
    const { type, seq, prev, session } = value as Record<string, unknown>;
    if (typeof type !== 'string' || typeof seq !== 'number' || typeof prev !== 'string') return undefined;
    return { seq, prev, session: String(session), event: undefined };
  } catch {
    // The caller counts a damaged line, so this does not throw.
    return undefined;
  }
}

/** Like `readRecord`, for a line of a file. */
export function recordOf({ bytes }: LogLine): LogRecord | undefined {
  return readRecord(bytes);
}

/** Returns the event in a line; undefined if there is none. */
export function readEvent(line: Buffer | string): SessionEvent | undefined {
  return readRecord(line)?.event;
}
