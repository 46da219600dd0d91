import type { SessionListener } from '../../log/log-writer.ts';
import type { RunSettings } from '../../loop/run-settings.ts';
import { type Decoding, decode, digests, isNone } from '../encode.ts';
import type { EntryOf } from '../entry.ts';
import type { CallOptions, PortInterceptor } from '../port-interceptor.ts';
import { InterceptedSettings, type Remake } from '../ports/settings.ts';
import { ReceivedPieces, type Receiver } from './received-pieces.ts';

export interface ReplayedOptions extends Decoding {
  /** Resolves when everything that is due has had its turn. */
  readonly turn: () => Promise<void>;
  /** Makes the providers again that were asked. */
  readonly remake: Remake;
  /** Takes secrets out of arguments, as the recording did. */
  readonly mask: (text: string) => string;
  /** Does with the session what was done with it. */
  readonly perform: (input: EntryOf<'input'>, given: readonly unknown[]) => void;
}

/** What every exchange has in common that hands out what was recorded. */
export abstract class ReplayedExchange implements PortInterceptor {
  readonly #options: ReplayedOptions;
  readonly #settings: InterceptedSettings;
  readonly #lastRead = new Map<string, unknown>();
  /** Of recorded calls that were made again. */
  readonly #receivers = new Map<number, Receiver>();
  #inputs = 0;

  constructor(options: ReplayedOptions) {
    this.#options = options;
    this.#settings = new InterceptedSettings(this, options.remake);
  }

  abstract call<Value>(
    name: string,
    given: readonly unknown[],
    make: (onPiece: (piece: unknown) => void) => Promise<Value>,
    options?: CallOptions<Value>,
  ): Promise<Value>;

  abstract stream<Piece>(
    name: string,
    given: readonly unknown[],
    make: () => AsyncIterable<Piece>,
  ): AsyncIterable<Piece>;

  abstract read<Value>(name: string, make: () => Value): Value;

  abstract onEvents(): void;

  abstract onDelta(): void;

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

  /** What was read is read again; undefined where there is nothing under this name. */
  protected readAgain(
    name: string,
    next: { readonly value: unknown } | undefined,
  ): { value: unknown } | undefined {
    if (next) this.#lastRead.set(name, isNone(next.value) ? undefined : next.value);
    return this.#lastRead.has(name) ? { value: this.#lastRead.get(name) } : undefined;
  }

  /** Hands what recorded call `id` gave to who has asked for it again. */
  protected receive(id: number, receiver: Receiver): void {
    this.#receivers.set(id, receiver);
  }

  protected isMade(id: number): boolean {
    return this.#receivers.has(id);
  }

  protected isSame(recorded: EntryOf<'start'>, given: readonly unknown[]): boolean {
    const { strict, loose } = digests(given, this.#options);
    return recorded.given === strict || (recorded.loose !== undefined && recorded.loose === loose());
  }

  /** `expect` finds the recorded call. */
  protected iterate<Piece>(
    expect: (receiver: Receiver) => void,
    end: () => Promise<void>,
  ): AsyncIterator<Piece> {
    const arrived = new ReceivedPieces<Piece>();
    expect(arrived);
    return { next: () => arrived.next(), return: async () => ({ done: true, value: await end() }) };
  }

  protected async perform(input: EntryOf<'input'>): Promise<void> {
    const given = await Promise.all(input.given.map((value) => decode(value, this.#options)));
    this.#options.perform(input, given);
  }

  /** Nobody gets what nobody has asked for. */
  protected async release(entry: EntryOf<'piece'> | EntryOf<'end'>): Promise<void> {
    const receiver = this.#receivers.get(entry.id);
    if (!receiver) return;
    if (entry.kind === 'piece') receiver.piece(await decode(entry.value, this.#options));
    else if (entry.error !== undefined) receiver.fail(await decode(entry.error, this.#options));
    else await receiver.end(await decode(entry.value, this.#options));
    if (entry.kind === 'end') this.#receivers.delete(entry.id);
  }
}
