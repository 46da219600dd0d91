import { say } from '../../../protocol/say.ts';
import { damageAt } from '../divergence.ts';
import { decode } from '../encode.ts';
import type { Entry, EntryOf } from '../entry.ts';
import type { CallOptions } from '../port-interceptor.ts';
import type { Receiver } from '../replay/received-pieces.ts';
import { ReplayedExchange, type ReplayedOptions } from '../replay/replay-interceptor.ts';
import { ReadAgain } from '../sync-reads.ts';
import { type RecordedCall, RecordedCalls } from './recorded-calls.ts';

export interface LiveOptions extends ReplayedOptions {
  /** An action that is another one than was recorded was denied. */
  readonly onDenied: () => void;
}

/** Calls that are made for real, by the beginning of their names. The log is real too, and does not pass here. */
const LIVE =
  /^(workspace|shell|files|scan|editors|blobs)\.|^clock\.yield$|^wire\.clock\.yield$|^stream\.return$/;
/** Waited for as they were recorded, or really, whatever is sooner. */
const SLEEP = /^(wire\.)?clock\.sleep$/;
/** Readings of the session's own clock; that of the wire is the recorded one. */
const LIVE_READING = /^(now|monotonic)$/;
/** So many turns without anything happening mean that nothing will. */
const PATIENCE = 500;

/**
 * Hands out what the model, its user and everything beside the workspace gave, in the recorded order as far as the session
 * asks for it, and lets files and commands be real. It never fails: what is asked for and was not recorded is refused.
 */
export class LiveExchange extends ReplayedExchange {
  readonly #options: LiveOptions;
  readonly #entries: readonly Entry[];
  readonly #calls: RecordedCalls;
  readonly #readings = new ReadAgain();
  /** What was handed out, or would have been if somebody had asked. */
  readonly #passed = new Set<Entry>();
  readonly #commands = { recorded: 0, live: 0 };
  readonly #appends = { recorded: 0, live: 0 };
  /** Real calls that have not ended. */
  #pending = 0;
  #happened = 0;
  /** What had happened when it was waited for something in vain: nothing else comes of itself before more has. */
  #happenedInVain = -1;
  #stir: () => void = () => {};

  constructor(entries: readonly Entry[], options: LiveOptions) {
    super(options);
    this.#entries = entries;
    this.#options = options;
    this.#calls = new RecordedCalls(entries);
    for (const { read = {} } of entries)
      for (const [name, runs] of Object.entries(read)) this.#readings.add(name, runs);
  }

  /** Plays all of it; resolves when nothing happens any more. */
  async play(): Promise<void> {
    for (const entry of this.#entries) {
      await this.#options.turn();
      await this.#pass(entry).catch((error: unknown) => {
        throw damageAt(entry, error);
      });
    }
    await this.#until(() => false);
  }

  /** The log has taken something. */
  appended(): void {
    this.#appends.live += 1;
    this.#tell();
  }

  call<Value>(
    name: string,
    given: readonly unknown[],
    make: (onPiece: (piece: unknown) => void) => Promise<Value>,
    options: CallOptions<Value> = {},
  ): Promise<Value> {
    if (LIVE.test(name)) return this.#real(name, () => make((piece) => options.onPiece?.(piece)));
    const recorded = this.#recorded(name, given, options);
    return SLEEP.test(name) ? Promise.race([recorded, make(() => {})]) : recorded;
  }

  stream<Piece>(
    name: string,
    given: readonly unknown[],
    make: () => AsyncIterable<Piece>,
  ): AsyncIterable<Piece> {
    if (LIVE.test(name)) return this.#realPieces(name, make);
    const expect = (receiver: Receiver) => this.#expect(name, given, receiver);
    return { [Symbol.asyncIterator]: () => this.iterate(expect, async () => {}) };
  }

  read<Value>(name: string, make: () => Value): Value {
    if (LIVE_READING.test(name)) return make();
    const again = this.readAgain(name, this.#readings.next(name));
    // What was read under this name had this type, and is short and plain.
    return again ? (again.value as Value) : make();
  }

  onEvents(): void {}

  onDelta(): void {}

  async #real<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    this.#pending += 1;
    if (name === 'shell.run') this.#commands.live += 1;
    this.#tell();
    try {
      return await make();
    } finally {
      this.#pending -= 1;
      this.#tell();
    }
  }

  async *#realPieces<Piece>(name: string, make: () => AsyncIterable<Piece>): AsyncGenerator<Piece> {
    const pieces = make()[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#real(name, () => pieces.next());
        if (done) return;
        yield value;
      }
    } finally {
      await pieces.return?.();
    }
  }

  #recorded<Value>(
    name: string,
    given: readonly unknown[],
    { coding, onPiece }: CallOptions<Value>,
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      const receiver: Receiver = {
        piece: (value) => onPiece?.(value),
        // Without a coding the value is what the port gave.
        end: async (value) => resolve(coding ? await coding.fromPlain(value) : (value as Value)),
        fail: reject,
      };
      this.#expect(name, given, receiver);
    });
  }

  #expect(name: string, given: readonly unknown[], receiver: Receiver): void {
    const fits = (start: EntryOf<'start'>) => name !== 'approver.ask' || this.isSame(start, given);
    const call = this.#calls.take(name, fits);
    if (call) {
      this.receive(call.start.id, receiver);
      this.#tell();
    }
    const answer = call ? this.#catchUp(call) : this.#refuse(name, receiver);
    answer.catch((error) => receiver.fail(error));
  }

  /** Hands out what the call would have been given by now. */
  async #catchUp({ given }: RecordedCall): Promise<void> {
    for (const entry of given.filter((each) => this.#passed.has(each))) await this.release(entry);
  }

  /** What was not recorded is denied, or ends the run; of what is only asked for the last answer holds. */
  async #refuse(name: string, receiver: Receiver): Promise<void> {
    if (SLEEP.test(name)) return;
    if (name === 'approver.ask') {
      this.#options.onDenied();
      return receiver.end({ decision: 'deny', reason: notApproved() });
    }
    if (name === 'wire.fetch') return receiver.end(NO_ANSWER);
    if (name.startsWith('wire.') || name.startsWith('model.'))
      return receiver.fail(new Error(say('The model was not asked this when the session was recorded.')));
    const last = this.#calls.lastEnd(name);
    return receiver.end(last && (await decode(last.value, this.#options)));
  }

  async #pass(entry: Entry): Promise<void> {
    switch (entry.kind) {
      case 'start':
        if (entry.name === 'shell.run') this.#commands.recorded += 1;
        if (!isReal(entry.name)) await this.#until(() => this.isMade(entry.id));
        return;
      case 'input':
        await this.#until(() => this.#isThere);
        this.#happened += 1;
        return this.perform(entry);
      case 'piece':
      case 'end':
        if (entry.kind === 'end' && this.#calls.nameOf(entry.id) === 'log.append')
          this.#appends.recorded += 1;
        this.#passed.add(entry);
        if (this.isMade(entry.id)) this.#happened += 1;
        return this.release(entry);
    }
  }

  /** The session has come as far as it had when the next thing was done with it. */
  get #isThere(): boolean {
    const isReached = ({ live, recorded }: { live: number; recorded: number }) => live >= recorded;
    return isReached(this.#appends) && isReached(this.#commands);
  }

  /** Resolves also when nothing happens any more that could bring it about. */
  async #until(isDone: () => boolean): Promise<void> {
    let seen = this.#happened;
    if (seen === this.#happenedInVain) return;
    for (let turns = 0; !isDone() && turns < PATIENCE; turns += 1) {
      if (this.#pending > 0) await this.#nextStir();
      else await this.#options.turn();
      if (seen !== this.#happened) turns = 0;
      seen = this.#happened;
    }
    if (!isDone()) this.#happenedInVain = seen;
  }

  #nextStir(): Promise<void> {
    return new Promise((resolve) => {
      this.#stir = resolve;
    });
  }

  #tell(): void {
    this.#happened += 1;
    this.#stir();
  }
}

const notApproved = () => say('this is another action than was decided on when the session was recorded');
/** Of a server that is not asked again after it. */
const NO_ANSWER = { status: 400, statusText: 'not recorded', headers: [], hasBody: false };

function isReal(name: string): boolean {
  return LIVE.test(name) || SLEEP.test(name) || name.startsWith('log.');
}
