import type { SessionEvent } from '../../protocol/events.ts';
import type { Head } from '../../protocol/head.ts';
import { estimateLines } from '../log/estimate-lines.ts';
import type { LogWindow, ReadLog } from './log-window.ts';

/** A log as it was after event `seq`, read from what it is now. What is asked of it costs as much as a section. */
export class LogAt implements ReadLog {
  readonly #log: LogWindow;
  readonly seq: number;
  /** Index of the section that it ends in. All before it are as they are now. */
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

  /** The events of the section, empty where there was none. */
  section(index: number): readonly SessionEvent[] {
    if (index > this.last) return [];
    const events = this.#log.section(index);
    return index < this.last ? events : events.filter((event) => event.seq <= this.seq);
  }

  /** As that of the whole log. */
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
