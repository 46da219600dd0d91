// Reading a session's file: every intact event is kept, whatever happened to its neighbours.
import { stat } from 'node:fs/promises';
import { CHAIN_START, type ChainHead } from '../core/session/chain.ts';
import { elide } from '../core/session/elide.ts';
import { HeldEvents, MOST } from '../core/session/held-events.ts';
import type { SessionEvent } from '../protocol/events.ts';
import { LONGEST, type LogLine, logLines } from './log-lines.ts';
import { LogPlaces } from './log-places.ts';
import { type LogRecord, recordOf } from './read-record.ts';

export interface LogContent {
  /** The older ones of a long log are elided. */
  readonly events: readonly SessionEvent[];
  /** The bytes that can stay: intact lines, and those of a type that this version does not know. */
  readonly intact: readonly ByteRange[];
  /** Lines that hold no event of a log. */
  readonly damaged: number;
  /** Each line carries the hash of the one before it: none was changed, taken out or put in. */
  readonly chained: boolean;
  /** The last line did not end: its writer died. */
  readonly torn: boolean;
  readonly head: ChainHead;
  /** The byte behind the last line that ends. */
  readonly end: number;
  readonly places: LogPlaces;
}

/** Bytes of a file: the first, and the one behind the last. */
export interface ByteRange {
  readonly from: number;
  to: number;
}

/** Reads the log at `path` in stretches, so that others can work in between. */
export async function readLog(path: string): Promise<LogContent> {
  const reading = new LogReading((await stat(path)).size - MOST);
  for await (const lines of logLines(path)) for (const line of lines) reading.take(line);
  return reading.content();
}

class LogReading {
  /** Events that begin before this byte will be elided in the end. */
  readonly #far: number;
  readonly #events = new HeldEvents();
  readonly #intact: ByteRange[] = [];
  readonly #places = new LogPlaces();
  #damaged = 0;
  #chained = true;
  #torn = false;
  #head = CHAIN_START;
  #end = 0;

  constructor(far: number) {
    this.#far = far;
  }

  take(line: LogLine): void {
    this.#torn = !line.isEnded;
    if (line.isEnded) this.#end = line.at + line.length + 1;
    const record = recordOf(line);
    if (record) this.#keep(line, record);
    else this.#damaged += 1;
  }

  content(): LogContent {
    return {
      events: this.#events.all,
      intact: this.#intact,
      damaged: this.#damaged,
      chained: this.#chained,
      torn: this.#torn,
      head: this.#head,
      end: this.#end,
      places: this.#places,
    };
  }

  /** What is not held whole for a while at first leaves the memory at once. */
  #hold({ at, length }: LogLine, event: SessionEvent): void {
    if (length > LONGEST) this.#events.push(event);
    else this.#events.push(at + length < this.#far ? elide(event) : event, length);
  }

  #keep(line: LogLine, { seq, prev, event }: LogRecord): void {
    this.#chained &&= prev === this.#head.hash && seq === this.#head.seq + 1;
    this.#head = { seq: Math.max(seq, this.#head.seq + 1), hash: line.hash() };
    this.#places.note(seq, line.at);
    if (event) this.#hold(line, event);
    const to = line.at + line.length + 1;
    const last = this.#intact.at(-1);
    if (last?.to === line.at) last.to = to;
    else this.#intact.push({ from: line.at, to });
  }
}
