import type { Entry, EntryOf } from '../entry.ts';

/** What a recorded call gave, in its pieces, and how it ended; without an end it was cut off. */
export type Given = EntryOf<'piece'> | EntryOf<'end'>;

/** A recorded call, and where in the recording it gave what. */
export interface RecordedCall {
  readonly start: EntryOf<'start'>;
  readonly given: Given[];
}

/** Those of one name: what is before `next` is taken. */
interface Waiting {
  readonly calls: RecordedCall[];
  next: number;
}

/** The calls of one opening of a session, by name, in their order. */
export class RecordedCalls {
  readonly #waiting = new Map<string, Waiting>();
  readonly #calls = new Map<number, RecordedCall>();
  /** The last end of each name. */
  readonly #lastEnds = new Map<string, EntryOf<'end'>>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.#add(entry);
  }

  /** The first one of this name, which `fits`, that was not taken yet. */
  take(name: string, fits: (start: EntryOf<'start'>) => boolean = () => true): RecordedCall | undefined {
    const waiting = this.#waitingOf(name);
    const { calls, next } = waiting;
    for (let index = next; index < calls.length; index += 1) {
      const call = calls[index];
      if (!call || !fits(call.start)) continue;
      // Most are asked for in their order.
      if (index === next) waiting.next += 1;
      else calls.splice(index, 1);
      return call;
    }
    return undefined;
  }

  /** How the last call of this name ended. */
  lastEnd(name: string): EntryOf<'end'> | undefined {
    return this.#lastEnds.get(name);
  }

  nameOf(id: number): string {
    return this.#calls.get(id)?.start.name ?? '';
  }

  #waitingOf(name: string): Waiting {
    const waiting = this.#waiting.get(name) ?? { calls: [], next: 0 };
    this.#waiting.set(name, waiting);
    return waiting;
  }

  #add(entry: Entry): void {
    if (entry.kind === 'start') {
      const call = { start: entry, given: [] };
      this.#calls.set(entry.id, call);
      this.#waitingOf(entry.name).calls.push(call);
    } else if (entry.kind === 'piece' || entry.kind === 'end') {
      this.#calls.get(entry.id)?.given.push(entry);
      if (entry.kind === 'end') this.#lastEnds.set(this.nameOf(entry.id), entry);
    }
  }
}
