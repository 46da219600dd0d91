import type { EventDraft, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { SessionLog } from '../ports/event-store.ts';
import { type ChainHead, hashLine, link } from '../session/chain.ts';
import { boundBlobs } from './bound-files.ts';
import type { Appended } from './bound-ports.ts';
import { withoutHashes } from './digest.ts';
import { type DiffOf, Divergence, differentEvent } from './divergence.ts';
import type { Exchange } from './exchange.ts';

/** The lines of a recorded log, as they stand in the file, without line feeds. */
export type LogLines = readonly string[];

export interface ReplayLogOptions {
  readonly exchange: Exchange;
  readonly recorded: LogLines;
  /** How many of them were there when the session was opened. */
  readonly past: number;
  readonly repairs: readonly string[];
  /** A secret was hidden in the recording: the hashes of what holds it may be others. */
  readonly hasHidden: boolean;
  readonly diffOf: DiffOf;
  readonly onDivergence: (divergence: Divergence) => void;
  readonly onEvents: (events: readonly SessionEvent[]) => void;
}

/** A log without a disk, whose every event must be the recorded one. */
export class ReplayLog implements SessionLog {
  readonly id: string;
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[];
  readonly blobs: BlobStore;
  /** Events that are as recorded but for hashes. */
  otherHashes = 0;
  /** Some of what was recorded was never written. */
  #wasHeld = false;
  readonly #options: ReplayLogOptions;
  #head: ChainHead;

  constructor(id: string, options: ReplayLogOptions) {
    this.id = id;
    this.#options = options;
    this.repairs = options.repairs;
    this.blobs = boundBlobs(NONE, options.exchange);
    const lines = options.recorded.slice(0, options.past);
    this.past = lines.map(eventOf);
    this.#head = { seq: lines.length, hash: lines.length > 0 ? hashLine(lines.at(-1) ?? '') : '' };
  }

  /** How many events there are now. */
  get length(): number {
    return this.#head.seq;
  }

  append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    return this.#options.exchange.call('log.append', [], async () => [], {
      coding: {
        toPlain: () => undefined,
        // Written by the log that was recorded.
        fromPlain: (plain) => this.#link(drafts, plain as Appended),
      },
    });
  }

  async load(first: number, last: number): Promise<readonly SessionEvent[]> {
    return this.#options.recorded.slice(first - 1, last).map(eventOf);
  }

  sync(): Promise<void> {
    return this.#options.exchange.call('log.sync', [], async () => {});
  }

  get trouble(): string | undefined {
    const trouble = this.#options.exchange.read('log.trouble', () => undefined);
    this.#wasHeld ||= trouble !== undefined;
    return trouble;
  }

  close(): Promise<void> {
    return this.#options.exchange.call('log.close', [], async () => {});
  }

  #link(drafts: readonly EventDraft[], { times, more }: Appended): readonly SessionEvent[] {
    const added = this.#options.recorded
      .slice(this.length, this.length + more)
      .map(eventOf)
      .map(draftOf);
    if (added.length + drafts.length !== times.length) this.#tellOfCount(drafts, times.length - more);
    const events = [...added, ...drafts].map((draft, index) => {
      const next = link(this.#head, draft, this.id, times[index] ?? times.at(-1) ?? 0);
      const line = this.#recordedLine(next.event.seq, next.line) ?? next.line;
      if (line !== next.line) return this.#take(line);
      this.#head = next.head;
      return next.event;
    });
    this.#options.onEvents(events);
    return events;
  }

  #tellOfCount(drafts: readonly EventDraft[], recorded: number): void {
    const { length } = this;
    const types = drafts.map(({ type }) => type).join(', ');
    this.#options.onDivergence(
      new Divergence(
        say('After event {0}, {1} events were recorded and these come: {2}.', length, recorded, types),
      ),
    );
  }

  #tellOfLost(seq: number): void {
    const message = say('Event {0} is not in the recorded log, so it cannot be compared.', seq);
    this.#options.onDivergence(new Divergence(message));
  }

  /** Undefined where it says something else than `line`, or is not there. */
  #recordedLine(seq: number, line: string): string | undefined {
    const recorded = this.#options.recorded[seq - 1];
    if (recorded === undefined && !this.#wasHeld) this.#tellOfLost(seq);
    if (recorded === undefined || recorded === line) return recorded;
    if (this.#options.hasHidden && withoutHashes(recorded) === withoutHashes(line)) return recorded;
    this.#options.onDivergence(differentEvent(seq, eventOf(recorded), eventOf(line), this.#options.diffOf));
    return undefined;
  }

  /** A recorded event in the place of one that has other hashes. */
  #take(line: string): SessionEvent {
    this.otherHashes += 1;
    this.#head = { seq: this.length + 1, hash: hashLine(line) };
    return eventOf(line);
  }
}

/** Never asked: what was there is played back. */
const NONE: BlobStore = { put: async () => '', get: async () => new Uint8Array(), has: async () => false };

function eventOf(line: string): SessionEvent {
  // A line of a log that was read before.
  return JSON.parse(line) as SessionEvent;
}

function draftOf({
  timestamp: _time,
  session: _session,
  seq: _seq,
  prev: _prev,
  ...draft
}: SessionEvent): EventDraft {
  // An event is a draft with its place in a log.
  return draft as EventDraft;
}
