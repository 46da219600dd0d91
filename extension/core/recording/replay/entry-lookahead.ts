import type { Entry, EntryOf } from '../entry.ts';
import { ReadAgain } from '../sync-reads.ts';

/** The largest number of entries that are read ahead. */
const AHEAD = 10_000;

/**
 * The entries of one opening of a session, in order. Reads ahead, because the session may make a call before
 * its entry is played.
 */
export class EntriesAhead {
  readonly #source: AsyncIterator<Entry>;
  #entries: Entry[] = [];
  #place = 0;
  #isRead = false;
  /** The entries read so far include the close of the session. */
  #isClosed = false;
  #hasHidden = false;
  /** Recorded calls that the session has not made yet, by name. */
  readonly #starts = new Map<string, EntryOf<'start'>[]>();
  /** Inputs that a listener made. */
  readonly #inner: EntryOf<'input'>[] = [];
  readonly #readings = new ReadAgain();

  constructor(source: AsyncIterator<Entry>) {
    this.#source = source;
  }

  /** The recording masked a secret. */
  get hasHidden(): boolean {
    return this.#hasHidden;
  }

  /** The recording ends here while the session is open. What happened next was not recorded. */
  get isCut(): boolean {
    if (!this.#isRead || this.#isClosed) return false;
    let place = this.#place;
    while (this.#isTaken(this.#entries[place])) place += 1;
    return place >= this.#entries.length;
  }

  /** Reads ahead up to the limit. The caller must await it before `next`. */
  async fill(): Promise<void> {
    if (this.#isRead || this.#entries.length - this.#place > AHEAD / 2) return;
    this.#entries = this.#entries.slice(this.#place);
    this.#place = 0;
    while (!this.#isRead && this.#entries.length < AHEAD) {
      const { done, value } = await this.#source.next();
      if (done) this.#isRead = true;
      else this.#look(value);
    }
  }

  /** Undefined at the end of the recording. */
  next(): Entry | undefined {
    const entry = this.#entries[this.#place];
    this.#place += 1;
    return entry;
  }

  /** Takes the first recorded call of this name that was not taken yet. */
  takeStart(name: string): EntryOf<'start'> | undefined {
    return this.#starts.get(name)?.shift();
  }

  /** Takes the next input that a listener made after `delivered` events and deltas. */
  takeInner(delivered: number): EntryOf<'input'> | undefined {
    return this.#inner[0]?.told === delivered ? this.#inner.shift() : undefined;
  }

  /** Takes the next recorded read of this name. Undefined if there is none. */
  read(name: string): { readonly value: unknown } | undefined {
    return this.#readings.next(name);
  }

  /**
   * True if the session already made this call, or if the entry is an input that waits for no listener. What
   * the session calls before such an entry is played was recorded after it.
   */
  #isTaken(entry: Entry | undefined): boolean {
    if (entry?.kind === 'start') return !this.#starts.get(entry.name)?.includes(entry);
    return entry?.kind === 'input' && !this.#inner.includes(entry);
  }

  #look(entry: Entry): void {
    this.#entries.push(entry);
    for (const [name, runs] of Object.entries(entry.read ?? {})) this.#readings.add(name, runs);
    if (entry.kind === 'input' && entry.told !== undefined) this.#inner.push(entry);
    if (entry.kind !== 'start') return;
    this.#hasHidden ||= entry.loose !== undefined;
    this.#isClosed ||= entry.name === 'log.close';
    const starts = this.#starts.get(entry.name) ?? [];
    starts.push(entry);
    this.#starts.set(entry.name, starts);
  }
}
