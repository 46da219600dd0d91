import type { SessionEvent } from '../../protocol/events.ts';
import type { Head } from '../../protocol/head.ts';
import { estimateLines } from '../log/estimate-lines.ts';
import type { LogWindow, ReadLog } from './log-window.ts';

/**
 * A log as it was after event `seq`, read from the current log. Each access except `events` costs as much as
 * one section.
 */
export class LogAt implements ReadLog {
  readonly #log: LogWindow;
  readonly seq: number;
  /** Index of the section that it ends in. All sections before it are the same in the current log. */
  readonly last: number;
  readonly head: Head;

  constructor(log: LogWindow, seq: number) {
    this.#log = log;
    this.seq = seq;
    this.last = log.sectionOf(seq);
    this.head = log.headAt(seq);
  }

  /** Copied from the whole log. */
  get events(): readonly SessionEvent[] {
    return this.#log.events.slice(0, this.#log.countUpTo(this.seq));
  }

  /** The events of the section; empty if it did not exist. */
  section(index: number): readonly SessionEvent[] {
    if (index > this.last) return [];
    const events = this.#log.section(index);
    return index < this.last ? events : events.filter((event) => event.seq <= this.seq);
  }

  /** As `whole` of the current log. */
  whole(events: readonly SessionEvent[]): Promise<readonly SessionEvent[]> {
    return this.#log.whole(events);
  }

  /** Estimated height of the section that it ends in, in lines of text. */
  get lastLines(): number {
    return Math.ceil(this.section(this.last).reduce((sum, event) => sum + estimateLines(event), 0));
  }

  get event(): SessionEvent | undefined {
    return this.section(this.last).at(-1);
  }
}
