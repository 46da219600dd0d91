import { say } from '../../../protocol/say.ts';
import type { SessionListener } from '../../log/log-writer.ts';
import type { RunSettings } from '../../loop/run-settings.ts';
import { Divergence, damageAt } from '../divergence.ts';
import { type Decoding, decode, digests, isNone } from '../encode.ts';
import type { Entry, EntryOf } from '../entry.ts';
import type { CallOptions, PortInterceptor } from '../port-interceptor.ts';
import { InterceptedSettings, type Remake } from '../ports/settings.ts';
import type { EntriesAhead } from './entry-lookahead.ts';
import type { Pace } from './pace.ts';
import { PendingCalls, ReceivedPieces, type Receiver } from './pending-calls.ts';

export interface PlaybackOptions extends Decoding {
  /** Waits until an entry may be played. */
  readonly pace: Pace;
  /** Resolves when all work that is due in this process is done. */
  readonly turn: () => Promise<void>;
  /** Creates the recorded providers again. */
  readonly remake: Remake;
  /** Masks secrets in arguments, as the recording did. */
  readonly mask: (text: string) => string;
  /** Repeats what was done with the session. */
  readonly perform: (input: EntryOf<'input'>, given: readonly unknown[]) => void;
}

/** The replay gives up after this number of turns without the next recorded entry. */
const MOST_TURNS = 2_000;

/** Answers the calls of one opening of a session from its recording, in the recorded order. */
export class Replayer implements PortInterceptor {
  readonly #options: PlaybackOptions;
  readonly #entries: EntriesAhead;
  readonly #settings: InterceptedSettings;
  readonly #pending: PendingCalls;
  /** Recorded calls that the session made before their entry was played. */
  readonly #calledEarly = new Set<number>();
  /** Inputs that a listener made before their entry was played. */
  readonly #performedEarly = new Set<number>();
  readonly #lastReads = new Map<string, unknown>();
  /** The entry in play, or the next one. */
  #current: Entry | undefined;
  #inputs = 0;
  /** The number of events and deltas that the session emitted since it was opened. */
  #emitted = 0;
  #divergence: Divergence | undefined;

  /** The caller must have filled `entries`. */
  constructor(entries: EntriesAhead, options: PlaybackOptions) {
    this.#entries = entries;
    this.#options = options;
    this.#settings = new InterceptedSettings(this, options.remake);
    this.#pending = new PendingCalls(options);
  }

  get next(): Entry | undefined {
    return this.#current;
  }

  /** Plays all entries. Rejects with `Divergence`. */
  async play(): Promise<void> {
    for (this.#current = this.#entries.next(); this.#current; this.#current = this.#entries.next()) {
      const entry = this.#current;
      const pause = this.#options.pace(entry);
      if (pause) await pause;
      await this.#playUnlessDone(entry);
      if (this.#divergence) throw this.#divergence;
      await this.#entries.fill();
    }
    await this.#options.turn();
    if (this.#divergence) throw this.#divergence;
  }

  /** Ends the replay. Only the first divergence counts. */
  diverge(divergence: Divergence): void {
    this.#divergence ??= divergence;
  }

  call<Value>(
    name: string,
    given: readonly unknown[],
    _make: unknown,
    { coding, onPiece }: CallOptions<Value> = {},
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#expect(name, given, {
        piece: (value) => onPiece?.(value),
        // Without a coding, the value is what the port returned.
        end: async (value) => resolve(coding ? await coding.fromPlain(value) : (value as Value)),
        fail: reject,
      });
    });
  }

  stream<Piece>(name: string, given: readonly unknown[]): AsyncIterable<Piece> {
    return {
      [Symbol.asyncIterator]: () => {
        const pieces = new ReceivedPieces<Piece>();
        this.#expect(name, given, pieces);
        const end = () => this.call<void>('stream.return', [], undefined);
        return { next: () => pieces.next(), return: async () => ({ done: true, value: await end() }) };
      },
    };
  }

  read<Value>(name: string): Value {
    const recorded = this.#entries.read(name);
    if (recorded) this.#lastReads.set(name, isNone(recorded.value) ? undefined : recorded.value);
    // Recorded reads of this name have this type, and none is a blob. After a cut, the last value stays
    // valid.
    if (recorded || this.#entries.isCut) return this.#lastReads.get(name) as Value;
    const problem = say('“{0}” was read more often than in the recording.', name);
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
    this.#performInner();
  }

  onDelta(): void {
    this.#performInner();
  }

  #performInner(): void {
    this.#emitted += 1;
    const next = () => this.#entries.takeInner(this.#emitted);
    for (let input = next(); input; input = next()) {
      this.#performedEarly.add(input.id);
      // A listener acts synchronously and passes short texts, so none of them is a blob.
      this.#options.perform(input, input.given);
    }
  }

  /** Finds the recorded call. `receiver` gets its result. */
  #expect(name: string, given: readonly unknown[], receiver: Receiver): void {
    const start = this.#entries.takeStart(name);
    if (!start) {
      const problem = say('“{0}” was called, but not in the recording.', name);
      if (!this.#entries.isCut) this.diverge(new Divergence(problem, this.next));
      return;
    }
    if (!this.#isSame(start, given)) {
      const asked = JSON.stringify(given, asReadable).slice(0, 2_000);
      const problem = say('“{0}” was called with other values than in the recording: {1}', name, asked);
      this.diverge(new Divergence(problem, start));
      return;
    }
    this.#calledEarly.add(start.id);
    this.#pending.add(start.id, receiver);
  }

  #isSame(recorded: EntryOf<'start'>, given: readonly unknown[]): boolean {
    const { strict, loose } = digests(given, this.#options);
    return recorded.given === strict || (recorded.loose !== undefined && recorded.loose === loose());
  }

  async #playUnlessDone(entry: Entry): Promise<void> {
    if (entry.kind === 'start' && this.#calledEarly.delete(entry.id)) return;
    try {
      await this.#options.turn();
      await this.#play(entry);
    } catch (error) {
      throw damageAt(entry, error);
    }
  }

  async #play(entry: Entry): Promise<void> {
    switch (entry.kind) {
      case 'start':
        return this.#waitUntil(() => this.#calledEarly.delete(entry.id), entry);
      case 'input':
        if (entry.told !== undefined)
          return this.#waitUntil(() => this.#performedEarly.delete(entry.id), entry);
        return this.#perform(entry);
      case 'piece':
      case 'end':
        return this.#pending.deliver(entry);
    }
  }

  async #perform(input: EntryOf<'input'>): Promise<void> {
    const given = await Promise.all(input.given.map((value) => decode(value, this.#options)));
    this.#options.perform(input, given);
  }

  async #waitUntil(isDone: () => boolean, entry: Entry): Promise<void> {
    for (let turns = 0; !isDone() && !this.#divergence; turns += 1) {
      if (turns > MOST_TURNS)
        this.diverge(new Divergence(say('The next recorded step did not occur.'), entry));
      else await this.#options.turn();
    }
  }
}

/** For `JSON.stringify`. Replaces bytes with their number. NaN and infinity become their names. */
function asReadable(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value instanceof Uint8Array ? `${value.length} bytes` : value;
}
