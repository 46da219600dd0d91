// The log in sections. The panel requests those near its viewport, so what it stores and gets does not grow
// with the session.
import type { SessionEvent } from '../../protocol/events.ts';
import { emptyHead, type Head } from '../../protocol/head.ts';
import { partitionPoint } from '../base/binary-search.ts';
import { estimateLines } from '../log/estimate-lines.ts';
import { EventBuffer } from '../log/event-buffer.ts';
import { beginsSection, isPart } from './sections.ts';
import { advanceHead } from './session-head.ts';

/** Events number `first` to `last`, whole. */
type LoadEvents = (first: number, last: number) => Promise<readonly SessionEvent[]>;

interface Section {
  /** Index of its first event in the log. */
  readonly at: number;
  /** Sequence number of that event. */
  readonly first: number;
  /** The state of the session before it. */
  readonly head: Head;
  parts: number;
  lines: number;
}

/** A fold over a log, in sections (`sections.ts`). */
export class LogWindow {
  readonly #held = new EventBuffer();
  readonly #load: LoadEvents;
  readonly #sections: Section[] = [];
  #head: Head = emptyHead;

  /** `load` gets elided events from the log. */
  constructor(events: readonly SessionEvent[] = [], load: LoadEvents = async () => []) {
    this.#load = load;
    this.apply(events);
  }

  get head(): Head {
    return this.#head;
  }

  /** The older ones of a long log are elided. */
  get events(): readonly SessionEvent[] {
    return this.#held.all;
  }

  /** All events after the event with this sequence number. */
  after(seq: number): readonly SessionEvent[] {
    return this.events.slice(this.countUpTo(seq));
  }

  /** The number of events up to the one with this sequence number. */
  countUpTo(seq: number): number {
    return partitionPoint(this.events, (event) => event.seq <= seq);
  }

  /** Estimated height of each section, in lines of text. */
  get lines(): number[] {
    return this.#sections.map(({ lines }) => Math.ceil(lines));
  }

  /** `events` must be the next events of the log. */
  apply(events: readonly SessionEvent[]): void {
    for (const event of events) this.#take(event);
  }

  /** The sequence numbers of those of `events` that begin a section. */
  startsAmong(events: readonly SessionEvent[]): number[] {
    const oldest = events[0]?.seq ?? 0;
    const starts = new Set<number>();
    for (let index = this.#sections.length - 1; index >= 0; index -= 1) {
      const first = this.#sections[index]?.first ?? 0;
      if (first < oldest) break;
      starts.add(first);
    }
    return events.flatMap(({ seq }) => (starts.has(seq) ? [seq] : []));
  }

  /** The events with the elided ones loaded. An event that cannot be loaded stays elided. */
  async whole(events: readonly SessionEvent[]): Promise<readonly SessionEvent[]> {
    const elided = events.filter((event) => event.elided !== undefined);
    const [first, last] = [elided[0]?.seq, elided.at(-1)?.seq];
    if (first === undefined || last === undefined) return events;
    const found = await this.#load(first, last).catch(() => []);
    const loaded = new Map(found.map((event) => [event.seq, event]));
    return events.map((event) => (event.elided && loaded.get(event.seq)) ?? event);
  }

  /** The events of the section; empty if there is none. */
  section(index: number): readonly SessionEvent[] {
    const section = this.#sections[index];
    return section ? this.events.slice(section.at, this.#sections[index + 1]?.at) : [];
  }

  sectionsFrom(index: number): readonly SessionEvent[] {
    const section = this.#sections[index];
    return section ? this.events.slice(section.at) : [];
  }

  /** The first of the newest sections that together have at least `lines`; -1 if there is no section. */
  tail(lines: number): number {
    let index = this.#sections.length - 1;
    for (let sum = this.#sections[index]?.lines ?? 0; index > 0 && sum < lines; index -= 1) {
      sum += this.#sections[index - 1]?.lines ?? 0;
    }
    return index;
  }

  /** Index of the section that contains the event with this sequence number; -1 if there is none. */
  sectionOf(seq: number): number {
    return partitionPoint(this.#sections, ({ first }) => first <= seq) - 1;
  }

  /** The state of the session after the event with this sequence number. */
  headAt(seq: number): Head {
    const index = this.sectionOf(seq);
    const before = this.#sections[index]?.head ?? emptyHead;
    return this.section(index)
      .filter((event) => event.seq <= seq)
      .reduce(advanceHead, before);
  }

  #take(event: SessionEvent): void {
    const last = this.#sections.at(-1);
    if (last === undefined || beginsSection(event, last.parts)) {
      this.#sections.push({
        at: this.events.length,
        first: event.seq,
        head: this.#head,
        parts: 0,
        lines: 0,
      });
    }
    const section = this.#sections.at(-1);
    if (section && isPart(event)) section.parts += 1;
    if (section) section.lines += estimateLines(event);
    this.#held.push(event);
    this.#head = advanceHead(this.#head, event);
  }
}

/** The readable part of a log: all of it, or what it was at an earlier event. */
export type ReadLog = Pick<LogWindow, 'events' | 'section' | 'whole'>;

/**
 * The nearest prompt in a section before or after `section`; undefined if there is none. A prompt begins a
 * section.
 */
export function seekPrompt(
  log: Pick<LogWindow, 'section'>,
  section: number,
  direction: -1 | 1,
): { section: number; part: string } | undefined {
  for (let index = section + direction; log.section(index).length > 0; index += direction) {
    const prompt = log.section(index).find((event) => event.type === 'user');
    if (prompt) return { section: index, part: String(prompt.seq) };
  }
  return undefined;
}
