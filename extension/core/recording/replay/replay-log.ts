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
  /** A secret was hidden in the recording: the hashes of what holds it may be others. */
  readonly hasHidden: () => boolean;
  /** The recording ends here, in the middle of things. */
  readonly isCut: () => boolean;
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
  /** Events that nothing could be compared with: they were never written. */
  unwritten = 0;
  #wasHeld = false;
  readonly #options: ReplayLogOptions;
  #head: ChainHead;
  /** The name of the session in its log, and the SHA-256 (hex) of the line before the next one there: a copy has other ones. */
  readonly #named: string;
  #before: string;
  /** Lines of the log. Where some were lost, events have higher numbers. */
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

  /** How many events there are now. */
  get length(): number {
    return this.#length;
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
    if (added.length + drafts.length !== times.length) this.#tellOfCount(drafts, times.length - more);
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

  #tellOfCount(drafts: readonly EventDraft[], recorded: number): void {
    const { length } = this;
    const types = drafts.map(({ type }) => type).join(', ');
    this.#options.onDivergence(
      new Divergence(
        say('After event {0}, {1} events were recorded and these come: {2}.', length, recorded, types),
      ),
    );
  }

  #miss(seq: number): void {
    this.unwritten += 1;
    if (this.#wasHeld || this.#options.isCut()) return;
    const message = say('Event {0} is not in the recorded log, so it cannot be compared.', seq);
    this.#options.onDivergence(new Divergence(message));
  }

  /** Undefined where it says something else than `line`, or is not there. */
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

  /** A copy of the session has another name in each line, and is chained anew. */
  #inThisSession(line: string, seq: number): string {
    const event = eventOf(line, seq);
    if (event.session === this.id) return line;
    if (event.session !== this.#named || event.prev !== this.#before) throw damagedLine(seq);
    return JSON.stringify({ ...event, session: this.id, prev: this.#head.hash });
  }

  /** A recorded event in the place of one that has other hashes. */
  #take(line: string, seq: number): SessionEvent {
    this.otherHashes += 1;
    this.#head = { seq, hash: hashLine(line) };
    return eventOf(line, seq);
  }
}

/** What a request began with is no outcome: another version may have other tools, and older logs do not name it. */
function withPrefixOf(recorded: string | undefined, draft: EventDraft, seq: number): EventDraft {
  if (recorded === undefined || draft.type !== 'request_started') return draft;
  const prefix = prefixIn(eventOf(recorded, seq));
  return { ...withoutPrefix(draft), ...(prefix !== undefined && { prefix }) };
}

/** Never asked: what was there is played back. */
const NONE: BlobStore = { put: async () => '', get: async () => new Uint8Array(), has: async () => false };
