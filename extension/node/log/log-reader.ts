import { elide, SHORT } from '../../core/log/elide.ts';
import { EventBuffer } from '../../core/log/event-buffer.ts';
import { CHAIN_START, type ChainHead } from '../../core/log/hash-chain.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { recordsWithin } from './joined-records.ts';
import { type IndexEnd, type IndexEntry, StaleIndexError } from './log-index.ts';
import type { LogLine } from './log-lines.ts';
import { LogOffsets } from './log-offsets.ts';
import { type LogRecord, recordOf } from './read-record.ts';

export interface LogContent {
  /** The older ones of a long log are elided. */
  readonly events: readonly SessionEvent[];
  /** The bytes that can stay: intact lines, and those of a type that this version does not know. */
  readonly intact: readonly ByteRange[];
  /** Lines that hold no event of a log. */
  readonly damaged: number;
  /** Those of them that are behind the last event. */
  readonly damagedAtEnd: number;
  /** Number of the last line that does not carry the hash of the one before it; 0 where none was changed, taken out or put in. */
  readonly brokenAt: number;
  /** The last line did not end: its writer died. */
  readonly torn: boolean;
  readonly head: ChainHead;
  /** The byte behind the last line that ends. */
  readonly end: number;
  readonly places: LogOffsets;
  /** Stands for a part of the log that was not read. */
  readonly index?: IndexEnd | undefined;
}

/** Whole lines of a file: their first byte, and the one behind their last. */
export interface ByteRange {
  readonly from: number;
  to: number;
  /** The last one is a line feed. */
  isEnded: boolean;
}

/** What is read of a log, line by line. */
export class LogReading {
  /** Events that begin before this byte will be elided in the end. */
  readonly #far: number;
  readonly #index: IndexEnd | undefined;
  readonly #events = new EventBuffer();
  readonly #intact: ByteRange[] = [];
  readonly #places = new LogOffsets();
  /** Of each line kept: enough to tell it from the others. */
  readonly #prints: number[] = [];
  /** The same, once it is asked for. */
  #printsSeen: Set<number> | undefined;
  #damaged = 0;
  #damagedAtEnd = 0;
  #brokenAt = 0;
  #torn = false;
  /** The log has the line with which the index ends. Until then, nothing says that the index is of this log. */
  #isConfirmed: boolean;
  /** Undefined where the lines before it were not read. */
  #head: ChainHead | undefined = CHAIN_START;
  #end = 0;

  constructor(far: number, index?: IndexEnd) {
    this.#far = far;
    this.#index = index;
    this.#isConfirmed = index === undefined;
  }

  /** The byte behind the last line that ends. */
  get end(): number {
    return this.#end;
  }

  /** A line that is not read. In order, before all others. */
  restore({ at, length, event }: IndexEntry): void {
    this.#end = at + length + 1;
    this.#intact[0] ??= { from: 0, to: 0, isEnded: true };
    this.#intact[0].to = this.#end;
    this.#head = undefined;
    if (!event) return;
    this.#places.note(event.seq, at);
    // It is elided already, and takes nothing of what those have that are not.
    this.#events.push(event, 0);
  }

  take(line: LogLine): void {
    this.#torn = !line.isEnded;
    if (line.isEnded) this.#end = line.at + line.length + 1;
    const record = recordOf(line);
    if (!record && !this.#isConfirmed) throw new StaleIndexError();
    if (record && !this.#isRepeated(line, record)) this.#keep(line, record);
    else {
      this.#damaged += 1;
      this.#damagedAtEnd += 1;
    }
    if (!record) for (const within of recordsWithin(line)) this.#keepWithin(within);
  }

  /** Throws `StaleIndexError`. */
  content(): LogContent {
    if (!this.#isConfirmed && this.#end !== this.#index?.size) throw new StaleIndexError();
    return {
      events: this.#events.all,
      intact: this.#intact,
      damaged: this.#damaged,
      damagedAtEnd: this.#damagedAtEnd,
      brokenAt: this.#brokenAt,
      torn: this.#torn,
      head: this.#head ?? CHAIN_START,
      end: this.#end,
      places: this.#places,
      index: this.#index,
    };
  }

  /** What is not held whole for a while at first leaves the memory at once. */
  #hold({ at, length }: LogLine, event: SessionEvent): void {
    this.#events.push(at + length < this.#far && length > SHORT ? elide(event) : event, length);
  }

  /** Throws where the last line that the index knows is not the one that it knew. */
  #confirm(line: LogLine, prev: string): void {
    const { size, hash } = this.#index ?? {};
    if (this.#isConfirmed || (this.#end !== size && line.at !== size)) return;
    this.#isConfirmed = hash === (line.at === size ? prev : line.hash());
    if (!this.#isConfirmed) throw new StaleIndexError();
  }

  /** It is there already: a part of the file was written twice. */
  #isRepeated(line: LogLine, { seq, prev }: LogRecord): boolean {
    if (!this.#head || seq > this.#head.seq || prev === this.#head.hash) return false;
    // What the index stands for was not read.
    if (this.#index) throw new StaleIndexError();
    this.#printsSeen ??= new Set(this.#prints);
    return this.#printsSeen.has(printOf(line.hash()));
  }

  #keepWithin(line: LogLine): void {
    const record = recordOf(line);
    if (record && !this.#isRepeated(line, record)) this.#keep(line, record);
  }

  #keep(line: LogLine, { seq, prev, event }: LogRecord): void {
    const head = this.#head ?? { seq: seq - 1, hash: prev };
    const hash = line.hash();
    this.#head = { seq: Math.max(seq, head.seq + 1), hash };
    this.#damagedAtEnd = 0;
    if (prev !== head.hash || seq !== head.seq + 1) this.#brokenAt = this.#head.seq;
    this.#prints.push(printOf(hash));
    this.#printsSeen?.add(printOf(hash));
    this.#confirm(line, prev);
    this.#places.note(seq, line.at);
    if (event) this.#hold(line, event);
    const { at: from, isEnded } = line;
    const to = from + line.length + (isEnded ? 1 : 0);
    const last = this.#intact.at(-1);
    if (last?.to === from && last.isEnded) Object.assign(last, { to, isEnded });
    else this.#intact.push({ from, to, isEnded });
  }
}

/** The first 32 bits of a hash. */
function printOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 8), 16);
}
