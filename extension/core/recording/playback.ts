import { say } from '../../protocol/say.ts';
import type { RunSettings } from '../loop/run-settings.ts';
import type { SessionListener } from '../session/recorder.ts';
import { Arrived, type Receiver } from './arrived.ts';
import { BoundSettings, type Remake } from './bound-settings.ts';
import { type Decoding, decode, isNone } from './coded.ts';
import { digest, looseDigest } from './digest.ts';
import { Divergence } from './divergence.ts';
import type { Entry, EntryOf } from './entry.ts';
import type { CallOptions, Exchange } from './exchange.ts';
import type { Pace } from './pace.ts';
import { ReadAgain } from './readings.ts';

export interface PlaybackOptions extends Decoding {
  /** Resolves when everything that is due has had its turn. */
  readonly turn: () => Promise<void>;
  /** Waits until it is time for an entry, as fast as the playback is to be. */
  readonly pace: Pace;
  /** Does with the session what was done with it. */
  readonly perform: (input: EntryOf<'input'>, given: readonly unknown[]) => void;
  /** Makes the providers again that were asked. */
  readonly remake: Remake;
  /** Takes secrets out of arguments, as the recording did. */
  readonly mask: (text: string) => string;
  readonly watch?: Watch | undefined;
}

/** Sees what passes between the session and its ports. */
export interface Watch {
  asked(name: string, given: readonly unknown[]): void;
  /** `value` is undefined where it failed. */
  gave(name: string, given: readonly unknown[], value: unknown): void;
}

/** So many turns of the process are waited for what the recording says comes next. */
const PATIENCE = 2_000;

/** Hands out what was recorded in one opening of a session, in the recorded order. */
export class Playback implements Exchange {
  readonly #options: PlaybackOptions;
  readonly #entries: readonly Entry[];
  readonly #settings: BoundSettings;
  readonly #readings = new ReadAgain();
  /** Recorded calls that were not made yet, by name. */
  readonly #starts = new Map<string, EntryOf<'start'>[]>();
  /** Inputs that come out of a listener. */
  readonly #inner: EntryOf<'input'>[];
  readonly #made = new Set<number>();
  readonly #receivers = new Map<number, Receiver>();
  readonly #performed = new Set<number>();
  readonly #lastRead = new Map<string, unknown>();
  /** The session was closed in the end. */
  readonly #isWhole: boolean;
  #position = 0;
  #told = 0;
  #inputs = 0;
  #failure: Divergence | undefined;

  constructor(entries: readonly Entry[], options: PlaybackOptions) {
    this.#entries = entries;
    this.#options = options;
    this.#settings = new BoundSettings(this, options.remake);
    this.#inner = entries.filter((entry) => entry.kind === 'input').filter(({ told }) => told !== undefined);
    for (const entry of entries) this.#prepare(entry);
    this.#isWhole = this.#starts.has('log.close');
  }

  /** The entry that was to come when it went wrong, or comes next. */
  get next(): Entry | undefined {
    return this.#entries[this.#position];
  }

  /** Plays all of it. Rejects with `Divergence`. */
  async play(): Promise<void> {
    for (const entry of this.#entries) {
      const pause = this.#options.pace(entry);
      if (pause) await pause;
      if (!(entry.kind === 'start' && this.#made.has(entry.id))) await this.#pass(entry);
      if (this.#failure) throw this.#failure;
      this.#position += 1;
    }
    await this.#options.turn();
    if (this.#failure) throw this.#failure;
  }

  /** Something is not as it was recorded; the first one counts. */
  diverge(divergence: Divergence): void {
    this.#failure ??= divergence;
  }

  call<Value>(
    name: string,
    given: readonly unknown[],
    _make: unknown,
    { coding, onPiece }: CallOptions<Value> = {},
  ): Promise<Value> {
    this.#options.watch?.asked(name, given);
    return new Promise((resolve, reject) => {
      this.#expect(name, given, {
        piece: (value) => onPiece?.(value),
        // Without a coding the value is what the port gave.
        end: async (value) => {
          this.#options.watch?.gave(name, given, value);
          resolve(coding ? await coding.fromPlain(value) : (value as Value));
        },
        fail: (error) => {
          this.#options.watch?.gave(name, given, undefined);
          reject(error);
        },
      });
    });
  }

  stream<Piece>(name: string, given: readonly unknown[]): AsyncIterable<Piece> {
    return { [Symbol.asyncIterator]: () => this.#iterate(name, given) };
  }

  read<Value>(name: string, _make: () => Value): Value {
    const read = this.#readings.next(name);
    // What was read under this name had this type, and is short and plain.
    if (read) this.#lastRead.set(name, isNone(read.value) ? undefined : read.value);
    if (read || this.#isCutHere) return this.#lastRead.get(name) as Value;
    const problem = say('“{0}” is read more often than it was recorded.', name);
    this.diverge(new Divergence(problem, this.next));
    throw new Divergence(problem, this.next);
  }

  input(): number {
    this.#inputs += 1;
    return this.#inputs;
  }

  settings(ask: () => Promise<RunSettings>): () => Promise<RunSettings> {
    return this.#settings.bind('settings', ask);
  }

  listener(listener: SessionListener): SessionListener {
    return listener;
  }

  onEvents(): void {
    this.#tell();
  }

  onDelta(): void {
    this.#tell();
  }

  /** The recording ends here, in the middle of things: what comes next was not written down any more. */
  get #isCutHere(): boolean {
    return !this.#isWhole && this.#position >= this.#entries.length - 1;
  }

  #tell(): void {
    this.#told += 1;
    while (this.#inner[0]?.told === this.#told) {
      const input = this.#inner.shift();
      // What a listener does at once it says in short texts.
      if (input) this.#perform(input, input.given);
    }
  }

  #perform(input: EntryOf<'input'>, given: readonly unknown[]): void {
    this.#performed.add(input.id);
    this.#options.perform(input, given);
  }

  #prepare(entry: Entry): void {
    for (const [name, runs] of Object.entries(entry.read ?? {})) this.#readings.add(name, runs);
    if (entry.kind !== 'start') return;
    const starts = this.#starts.get(entry.name) ?? [];
    starts.push(entry);
    this.#starts.set(entry.name, starts);
  }

  #expect(name: string, given: readonly unknown[], receiver: Receiver): void {
    const start = this.#starts.get(name)?.shift();
    if (!start) {
      if (!this.#isCutHere)
        this.diverge(
          new Divergence(say('“{0}” is asked, and was not when this was recorded.', name), this.next),
        );
      return;
    }
    if (!this.#isSame(start, given)) {
      const asked = JSON.stringify(given).slice(0, 2_000);
      this.diverge(
        new Divergence(say('“{0}” is asked for something else than was recorded: {1}', name, asked), start),
      );
      return;
    }
    this.#made.add(start.id);
    this.#receivers.set(start.id, receiver);
  }

  #isSame({ given: recorded, loose }: EntryOf<'start'>, given: readonly unknown[]): boolean {
    return recorded === digest(given, this.#options) || loose === looseDigest(given, this.#options);
  }

  #iterate<Piece>(name: string, given: readonly unknown[]): AsyncIterator<Piece> {
    const arrived = new Arrived<Piece>();
    this.#expect(name, given, arrived);
    const end = () => this.call('stream.return', [], undefined);
    return { next: () => arrived.next(), return: async () => ({ done: true, value: await end() }) };
  }

  async #pass(entry: Entry): Promise<void> {
    await this.#options.turn();
    switch (entry.kind) {
      case 'start':
        return this.#until(() => this.#made.has(entry.id), entry);
      case 'input':
        if (entry.told !== undefined) return this.#until(() => this.#performed.has(entry.id), entry);
        return this.#perform(entry, await this.#decodeAll(entry.given));
      case 'piece':
      case 'end':
        return this.#release(entry);
    }
  }

  #decodeAll(given: readonly unknown[]): Promise<unknown[]> {
    return Promise.all(given.map((value) => decode(value, this.#options)));
  }

  async #until(isDone: () => boolean, entry: Entry): Promise<void> {
    for (let turns = 0; !isDone() && !this.#failure; turns += 1) {
      if (turns > PATIENCE) this.diverge(new Divergence(say('What was recorded next does not come.'), entry));
      else await this.#options.turn();
    }
  }

  async #release(entry: EntryOf<'piece'> | EntryOf<'end'>): Promise<void> {
    const receiver = this.#receivers.get(entry.id);
    if (entry.kind === 'piece') receiver?.piece(await decode(entry.value, this.#options));
    else if (entry.error !== undefined) receiver?.fail(await decode(entry.error, this.#options));
    else await receiver?.end(await decode(entry.value, this.#options));
  }
}
