import { say } from '../../../protocol/say.ts';
import { Divergence, damageAt } from '../divergence.ts';
import type { Entry } from '../entry.ts';
import type { CallOptions } from '../port-interceptor.ts';
import type { EntriesAhead } from './entry-lookahead.ts';
import type { Pace } from './pace.ts';
import type { Receiver } from './received-pieces.ts';
import { ReplayedExchange, type ReplayedOptions } from './replay-interceptor.ts';

export interface PlaybackOptions extends ReplayedOptions {
  /** Waits until it is time for an entry, as fast as the playback is to be. */
  readonly pace: Pace;
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
export class Replayer extends ReplayedExchange {
  readonly #options: PlaybackOptions;
  readonly #ahead: EntriesAhead;
  readonly #made = new Set<number>();
  readonly #performed = new Set<number>();
  /** The entry that was to come when it went wrong, or comes next. */
  #current: Entry | undefined;
  #told = 0;
  #failure: Divergence | undefined;

  /** `entries` have been looked at. */
  constructor(entries: EntriesAhead, options: PlaybackOptions) {
    super(options);
    this.#ahead = entries;
    this.#options = options;
  }

  get next(): Entry | undefined {
    return this.#current;
  }

  /** Plays all of it. Rejects with `Divergence`. */
  async play(): Promise<void> {
    for (this.#current = this.#ahead.next(); this.#current; this.#current = this.#ahead.next()) {
      const entry = this.#current;
      const pause = this.#options.pace(entry);
      if (pause) await pause;
      if (!(entry.kind === 'start' && this.#made.has(entry.id)))
        await this.#pass(entry).catch((error: unknown) => {
          throw damageAt(entry, error);
        });
      if (this.#failure) throw this.#failure;
      for (const seen of [this.#made, this.#performed]) seen.delete(entry.kind === 'open' ? 0 : entry.id);
      await this.#ahead.fill();
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
    const end = () => this.call<void>('stream.return', [], undefined);
    return {
      [Symbol.asyncIterator]: () => this.iterate((receiver) => this.#expect(name, given, receiver), end),
    };
  }

  read<Value>(name: string, _make: () => Value): Value {
    const next = this.#ahead.read(name);
    const again = this.readAgain(name, next);
    // What was read under this name had this type, and is short and plain.
    if (next || this.#ahead.isCut) return again?.value as Value;
    const problem = say('“{0}” is read more often than it was recorded.', name);
    this.diverge(new Divergence(problem, this.next));
    throw new Divergence(problem, this.next);
  }

  onEvents(): void {
    this.#tell();
  }

  onDelta(): void {
    this.#tell();
  }

  #tell(): void {
    this.#told += 1;
    const next = () => this.#ahead.takeInner(this.#told);
    for (let input = next(); input; input = next()) {
      this.#performed.add(input.id);
      // What a listener does at once it says in short texts.
      this.#options.perform(input, input.given);
    }
  }

  #expect(name: string, given: readonly unknown[], receiver: Receiver): void {
    const start = this.#ahead.takeStart(name);
    if (!start) {
      if (!this.#ahead.isCut)
        this.diverge(
          new Divergence(say('“{0}” is asked, and was not when this was recorded.', name), this.next),
        );
      return;
    }
    if (!this.isSame(start, given)) {
      const asked = JSON.stringify(given, asReadable).slice(0, 2_000);
      this.diverge(
        new Divergence(say('“{0}” is asked for something else than was recorded: {1}', name, asked), start),
      );
      return;
    }
    this.#made.add(start.id);
    this.receive(start.id, receiver);
  }

  async #pass(entry: Entry): Promise<void> {
    await this.#options.turn();
    switch (entry.kind) {
      case 'start':
        return this.#until(() => this.#made.has(entry.id), entry);
      case 'input':
        if (entry.told !== undefined) return this.#until(() => this.#performed.has(entry.id), entry);
        return this.perform(entry);
      case 'piece':
      case 'end':
        return this.release(entry);
    }
  }

  async #until(isDone: () => boolean, entry: Entry): Promise<void> {
    for (let turns = 0; !isDone() && !this.#failure; turns += 1) {
      if (turns > PATIENCE) this.diverge(new Divergence(say('What was recorded next does not come.'), entry));
      else await this.#options.turn();
    }
  }
}

/** For `JSON.stringify`. Bytes become their number. NaN and infinity, for which JSON has no word, become their names. */
function asReadable(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value instanceof Uint8Array ? `${value.length} bytes` : value;
}
