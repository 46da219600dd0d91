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
  /** The older events of a long log are elided. */
  readonly events: readonly SessionEvent[];
  /** The bytes to keep: intact lines, including those of a type that this version does not know. */
  readonly intact: readonly ByteRange[];
  /** Number of lines that hold no event of a log. */
  readonly damaged: number;
  /** Number of those lines that are behind the last event. */
  readonly damagedAtEnd: number;
  /**
   * Number of the last line that does not carry the hash of the line before it. 0 if no line was changed,
   * removed or inserted.
   */
  readonly brokenAt: number;
  /** The last line has no line feed, because its writer died. */
  readonly torn: boolean;
  readonly head: ChainHead;
  /** The byte behind the last line that ends. */
  readonly end: number;
  readonly places: LogOffsets;
  /** The index, if it replaced a part of the log that was not read. */
  readonly index?: IndexEnd | undefined;
}

/** Whole lines of a file: their first byte, and the byte behind their last one. */
export interface ByteRange {
  readonly from: number;
  to: number;
  /** The last byte is a line feed. */
  isEnded: boolean;
}

/** Builds the content of a log, line by line. */
export class LogReading {
  /** Events before this byte are elided in the final content. */
  readonly #far: number;
  readonly #index: IndexEnd | undefined;
  readonly #events = new EventBuffer();
  readonly #intact: ByteRange[] = [];
  readonly #places = new LogOffsets();
  /** A short fingerprint of each line kept, for finding repeated lines. */
  readonly #prints: number[] = [];
  /** `#prints` as a set, built on first use. */
  #printsSeen: Set<number> | undefined;
  #damaged = 0;
  #damagedAtEnd = 0;
  #brokenAt = 0;
  #torn = false;
  /** The log has the line with which the index ends. Until then, the index may belong to another log. */
  #isConfirmed: boolean;
  /** Undefined while the lines before were not read. */
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

  /** Adds a line from the index instead of the log. Call in order, before any call of `take`. */
  restore({ at, length, event }: IndexEntry): void {
    this.#end = at + length + 1;
    this.#intact[0] ??= { from: 0, to: 0, isEnded: true };
    this.#intact[0].to = this.#end;
    this.#head = undefined;
    if (!event) return;
    this.#places.note(event.seq, at);
    // The event is already elided, so it takes no room from the events that are not.
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

  /** Throws `StaleIndexError` if the log does not match the index. */
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

  /** Elides a far event, so that its long texts leave memory immediately. */
  #hold({ at, length }: LogLine, event: SessionEvent): void {
    this.#events.push(at + length < this.#far && length > SHORT ? elide(event) : event, length);
  }

  /** Throws `StaleIndexError` if the last line that the index describes has another hash in the log. */
  #confirm(line: LogLine, prev: string): void {
    const { size, hash } = this.#index ?? {};
    if (this.#isConfirmed || (this.#end !== size && line.at !== size)) return;
    this.#isConfirmed = hash === (line.at === size ? prev : line.hash());
    if (!this.#isConfirmed) throw new StaleIndexError();
  }

  /** The line was kept before, because a part of the file was written twice. */
  #isRepeated(line: LogLine, { seq, prev }: LogRecord): boolean {
    if (!this.#head || seq > this.#head.seq || prev === this.#head.hash) return false;
    // The lines that the index replaced have no fingerprints here.
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
