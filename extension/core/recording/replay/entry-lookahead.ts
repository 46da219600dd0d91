import type { Entry, EntryOf } from '../entry.ts';
import { ReadAgain } from '../sync-reads.ts';

/** So many entries are looked at before they are played, at most. */
const AHEAD = 10_000;

/** The entries of one opening of a session, in their order, and what is asked for before its entry is played. */
export class EntriesAhead {
  readonly #source: AsyncIterator<Entry>;
  #entries: Entry[] = [];
  #place = 0;
  #isRead = false;
  /** The session was closed in the end. */
  #isClosed = false;
  #hasHidden = false;
  /** Calls that were not made yet, by name. */
  readonly #starts = new Map<string, EntryOf<'start'>[]>();
  /** Inputs that come out of a listener. */
  readonly #inner: EntryOf<'input'>[] = [];
  readonly #readings = new ReadAgain();

  constructor(source: AsyncIterator<Entry>) {
    this.#source = source;
  }

  /** A secret was hidden in what was recorded. */
  get hasHidden(): boolean {
    return this.#hasHidden;
  }

  /** The recording ends here, in the middle of things: what comes next was not written down any more. */
  get isCut(): boolean {
    if (!this.#isRead || this.#isClosed) return false;
    let place = this.#place;
    while (this.#isTaken(this.#entries[place])) place += 1;
    return place >= this.#entries.length;
  }

  /** Looks ahead as far as it may; to be awaited before `next`. */
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

  /** Undefined at the end. */
  next(): Entry | undefined {
    const entry = this.#entries[this.#place];
    this.#place += 1;
    return entry;
  }

  /** The first call of this name that was not taken yet. */
  takeStart(name: string): EntryOf<'start'> | undefined {
    return this.#starts.get(name)?.shift();
  }

  /** What a listener did when so many events and deltas had been told. */
  takeInner(told: number): EntryOf<'input'> | undefined {
    return this.#inner[0]?.told === told ? this.#inner.shift() : undefined;
  }

  /** What was read next under this name; undefined where that was nothing more. */
  read(name: string): { readonly value: unknown } | undefined {
    return this.#readings.next(name);
  }

  /** It has been asked for ahead of its turn, or is to be done: what is asked for until then was asked for behind it. */
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
