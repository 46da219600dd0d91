import { parseEvent, type SessionEvent } from '../../protocol/events.ts';
import { isShortened, type LogLine } from './log-lines.ts';

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
  return recordIn(() => JSON.parse(line.toString()));
}

/** The same for a line of a file; of one too long to be read as it is, with its texts cut. */
export function recordOf(line: LogLine): LogRecord | undefined {
  return recordIn(() => valueIn(line));
}

/** The object in an intact line, whatever its type. What a tool has answered stays JSON, also where it was cut. */
export function valueIn(line: LogLine): object {
  // That an intact line holds one was looked at by who asks.
  const value = JSON.parse(line.bytes.toString()) as object;
  return isShortened(line) && 'result' in value ? { ...value, result: asJson(value.result) } : value;
}

function asJson(result: unknown): unknown {
  try {
    JSON.parse(String(result));
    return result;
  } catch {
    return JSON.stringify({ content: result });
  }
}

function recordIn(read: () => unknown): LogRecord | undefined {
  try {
    const value = read();
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

/** The event in a line, undefined where that holds none. */
export function readEvent(line: Buffer | string): SessionEvent | undefined {
  return readRecord(line)?.event;
}
