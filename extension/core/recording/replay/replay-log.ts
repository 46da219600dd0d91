import type { EventDraft, SessionEvent } from '../../../protocol/events.ts';
import { say } from '../../../protocol/say.ts';
import { prefixIn, withoutPrefix } from '../../checkpoints/blob-names.ts';
import { type ChainHead, hashLine, type Link, link, unlinked } from '../../log/hash-chain.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { SessionLog } from '../../ports/session-store.ts';
import { type DiffOf, Divergence, differentEvent } from '../divergence.ts';
import { withoutHashes } from '../encode.ts';
import type { PortInterceptor } from '../port-interceptor.ts';
import { boundBlobs } from '../ports/files.ts';
import type { Appended } from '../ports/ports.ts';
import type { RecordedLog } from '../recorded-session.ts';
import { damagedLine, eventOf, type RecordedPast } from '../recorded-session.ts';

export interface ReplayLogOptions {
  readonly exchange: PortInterceptor;
  readonly recorded: RecordedLog;
  readonly repairs: readonly string[];
  /** The recording masked a secret, so hashes of what contains it may differ. */
  readonly hasHidden: () => boolean;
  /** The recording ends here while the session is open. */
  readonly isCut: () => boolean;
  readonly diffOf: DiffOf;
  readonly onDivergence: (divergence: Divergence) => void;
  readonly onEvents: (events: readonly SessionEvent[]) => void;
}

/** A log in memory. Each event that the session appends must be equal to the recorded one. */
export class ReplayLog implements SessionLog {
  readonly id: string;
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[];
  readonly blobs: BlobStore;
  /** The number of events that differ from the recording only in hashes. */
  otherHashes = 0;
  /** The number of events that could not be compared, because the recorded log does not have them. */
  unwritten = 0;
  #wasHeld = false;
  readonly #options: ReplayLogOptions;
  #head: ChainHead;
  /**
   * `#named` is the name of the session in its log. `#before` is the SHA-256 (hex) of the previous line of
   * that log. Both differ in a copy of the session.
   */
  readonly #named: string;
  #before: string;
  /** The number of lines in the log. Event numbers may be higher, because the log may have lost lines. */
  #length: number;

  constructor({ id, named, past, head }: RecordedPast, options: ReplayLogOptions) {
    this.id = id;
    this.#options = options;
    this.repairs = options.repairs;
    this.blobs = boundBlobs(NONE, options.exchange);
    this.past = past;
    this.#head = head;
    this.#named = named;
    this.#before = head.hash;
    this.#length = past.length;
  }

  /** The number of lines in the log so far. */
  get length(): number {
    return this.#length;
  }

  append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    return this.#options.exchange.call('log.append', [], async () => [], {
      coding: {
        toPlain: () => undefined,
        // The recording of the log wrote this value.
        fromPlain: (plain) => this.#link(drafts, plain as Appended),
      },
    });
  }

  async load(first: number, last: number): Promise<readonly SessionEvent[]> {
    const from = this.#lineOf(first);
    const lines = await this.#options.recorded.lines(from, this.#lineOf(last));
    return lines.map((line, index) => eventOf(line, from + index));
  }

  #lineOf(seq: number): number {
    const behind = this.#head.seq - seq;
    const added = this.#length - this.past.length;
    return behind < added ? this.#length - behind : this.past.findLastIndex((event) => event.seq <= seq) + 1;
  }

  keep(): void {}

  sync(): Promise<void> {
    return this.#options.exchange.call('log.sync', [], async () => {});
  }

  get trouble(): string | undefined {
    const trouble = this.#options.exchange.read('log.trouble', () => undefined);
    this.#wasHeld ||= trouble !== undefined;
    return trouble;
  }

  atWork(): () => void {
    return () => {};
  }

  close(): Promise<void> {
    return this.#options.exchange.call('log.close', [], async () => {});
  }

  async #link(drafts: readonly EventDraft[], { times, more }: Appended): Promise<readonly SessionEvent[]> {
    const first = this.length + 1;
    const recorded = await this.#options.recorded.lines(first, this.length + times.length);
    const added = recorded.slice(0, more).map((line, index) => unlinked(eventOf(line, first + index)));
    if (added.length + drafts.length !== times.length) this.#reportCount(drafts, times.length - more);
    const events = [...added, ...drafts].map((draft, index) =>
      this.#add(draft, times[index] ?? times.at(-1) ?? 0, recorded[index]),
    );
    this.#length += events.length;
    this.#options.onEvents(events);
    return events;
  }

  #add(draft: EventDraft, time: number, recorded: string | undefined): SessionEvent {
    const next = link(this.#head, withPrefixOf(recorded, draft, this.#head.seq + 1), this.id, time);
    const line = this.#recordedLine(next, recorded) ?? next.line;
    if (recorded !== undefined) this.#before = recorded === next.line ? next.head.hash : hashLine(recorded);
    if (line !== next.line) return this.#take(line, next.event.seq);
    this.#head = next.head;
    return next.event;
  }

  #reportCount(drafts: readonly EventDraft[], recorded: number): void {
    const { length } = this;
    const types = drafts.map(({ type }) => type).join(', ');
    this.#options.onDivergence(
      new Divergence(
        say(
          'After event {0}, the recording has {1} events, but the replay produced these: {2}.',
          length,
          recorded,
          types,
        ),
      ),
    );
  }

  #miss(seq: number): void {
    this.unwritten += 1;
    if (this.#wasHeld || this.#options.isCut()) return;
    const message = say('Event {0} is not in the recorded log, so it cannot be compared.', seq);
    this.#options.onDivergence(new Divergence(message));
  }

  /** The recorded line, if it says the same as `line`. Undefined if it differs or is missing. */
  #recordedLine({ event: { seq }, line }: Link, text: string | undefined): string | undefined {
    if (text === undefined) this.#miss(seq);
    if (text === undefined || text === line) return text;
    const recorded = this.#inThisSession(text, seq);
    if (recorded === line) return recorded;
    if (this.#options.hasHidden() && withoutHashes(recorded) === withoutHashes(line)) return recorded;
    const [before, after] = [eventOf(recorded, seq), eventOf(line, seq)];
    this.#options.onDivergence(differentEvent(seq, before, after, this.#options.diffOf));
    return undefined;
  }

  /**
   * Converts a line of a copied session back to the original. A copy has another name and another hash chain.
   */
  #inThisSession(line: string, seq: number): string {
    const event = eventOf(line, seq);
    if (event.session === this.id) return line;
    if (event.session !== this.#named || event.prev !== this.#before) throw damagedLine(seq);
    return JSON.stringify({ ...event, session: this.id, prev: this.#head.hash });
  }

  /** Takes the recorded event in the place of one that differs in hashes. */
  #take(line: string, seq: number): SessionEvent {
    this.otherHashes += 1;
    this.#head = { seq, hash: hashLine(line) };
    return eventOf(line, seq);
  }
}

/**
 * Takes the `prefix` of the recorded event. It is not compared, because another version may have other tools,
 * and older logs have no prefix.
 */
function withPrefixOf(recorded: string | undefined, draft: EventDraft, seq: number): EventDraft {
  if (recorded === undefined || draft.type !== 'request_started') return draft;
  const prefix = prefixIn(eventOf(recorded, seq));
  return { ...withoutPrefix(draft), ...(prefix !== undefined && { prefix }) };
}

/** Never called: the replay returns what was recorded of the blobs. */
const NONE: BlobStore = { put: async () => '', get: async () => new Uint8Array(), has: async () => false };
