import type { Entry } from '../../core/recording/entry.ts';
import type { Appended } from '../../core/recording/ports/ports.ts';
import { say } from '../../protocol/say.ts';

/** What a recording says that its log does not; `Where` is where it says so. */
export interface Stray<Where> {
  readonly where: Where;
  /** One sentence. */
  readonly message: string;
}

/** Holds the times at which events were written, as a recording has them, against those of a log. */
export class RecordedTimes<Where> {
  readonly #times: readonly number[];
  /** Calls that put something into the log and have not ended. */
  readonly #appends = new Set<number>();
  #opened: { readonly past: number; readonly where: Where } | undefined;
  /** Events that the log has by now. */
  #length = 0;
  #other: { readonly seq: number; readonly where: Where } | undefined;
  /** The first call that put something into the log which that does not have. */
  #ahead: Where | undefined;

  /** `times` of the log's events, milliseconds since the epoch. */
  constructor(times: readonly number[]) {
    this.#times = times;
  }

  take(entry: Entry, where: Where): void {
    if (entry.kind === 'open') this.#open(entry.past, where);
    if (entry.kind === 'start' && entry.name === 'log.append') this.#appends.add(entry.id);
    if (entry.kind === 'end' && this.#appends.delete(entry.id)) this.#append(entry.value, where);
  }

  /** The first one, when all is taken. */
  get stray(): Stray<Where> | undefined {
    if (this.#other)
      return {
        where: this.#other.where,
        message: say('This recording is not of this log: event {0} is another one there.', this.#other.seq),
      };
    const { past, where } = this.#opened ?? {};
    if (where !== undefined && past !== undefined && past > this.#times.length)
      return {
        where,
        message: say('The log had {0} events when this was recorded, and has {1}.', past, this.#times.length),
      };
    if (this.#ahead === undefined) return undefined;
    return {
      where: this.#ahead,
      message: say(
        'The recording knows more events than this log has ({0}): the end of the log was cut off, or never written.',
        this.#length - this.#times.length,
      ),
    };
  }

  #open(past: number, where: Where): void {
    // The process before had more that was never written.
    if (this.#other && this.#other.seq > past) this.#other = undefined;
    this.#ahead = undefined;
    this.#appends.clear();
    this.#opened = { past, where };
    this.#length = past;
  }

  #append(value: unknown, where: Where): void {
    // As it was written; whoever has changed it is found out by the log.
    for (const time of (value as Partial<Appended> | undefined)?.times ?? []) {
      const there = this.#times[this.#length];
      this.#length += 1;
      if (there === undefined) this.#ahead ??= where;
      else if (there !== time) this.#other ??= { seq: this.#length, where };
    }
  }
}
