import type { Entry } from '../../core/recording/entry.ts';
import type { Appended } from '../../core/recording/ports/ports.ts';
import { say } from '../../protocol/say.ts';

/** A difference between a recording and its log. `Where` is the place in the recording. */
export interface Stray<Where> {
  readonly where: Where;
  /** One sentence. */
  readonly message: string;
}

/** Compares the recorded times at which events were written with the times in a log. */
export class RecordedTimes<Where> {
  readonly #times: readonly number[];
  /** Calls of `log.append` that have not ended. */
  readonly #appends = new Set<number>();
  #opened: { readonly past: number; readonly where: Where } | undefined;
  /** The number of events that the log has at this point of the recording. */
  #length = 0;
  #other: { readonly seq: number; readonly where: Where } | undefined;
  /** The first call that appended an event which the log does not have. */
  #ahead: Where | undefined;

  /** `times` are the timestamps of the log's events, in milliseconds since the epoch. */
  constructor(times: readonly number[]) {
    this.#times = times;
  }

  take(entry: Entry, where: Where): void {
    if (entry.kind === 'open') this.#open(entry.past, where);
    if (entry.kind === 'start' && entry.name === 'log.append') this.#appends.add(entry.id);
    if (entry.kind === 'end' && this.#appends.delete(entry.id)) this.#append(entry.value, where);
  }

  /** The first difference. Valid after all entries were taken. */
  get stray(): Stray<Where> | undefined {
    if (this.#other)
      return {
        where: this.#other.where,
        message: say('This recording does not belong to this log: event {0} differs.', this.#other.seq),
      };
    const { past, where } = this.#opened ?? {};
    if (where !== undefined && past !== undefined && past > this.#times.length)
      return {
        where,
        message: say(
          'The log had {0} events when this was recorded. Now it has {1}.',
          past,
          this.#times.length,
        ),
      };
    if (this.#ahead === undefined) return undefined;
    return {
      where: this.#ahead,
      message: say(
        'The recording has more events than this log ({0} more). The end of the log was cut off or never written.',
        this.#length - this.#times.length,
      ),
    };
  }

  #open(past: number, where: Where): void {
    // The previous process appended events that never reached the file.
    if (this.#other && this.#other.seq > past) this.#other = undefined;
    this.#ahead = undefined;
    this.#appends.clear();
    this.#opened = { past, where };
    this.#length = past;
  }

  #append(value: unknown, where: Where): void {
    // Not checked: a changed value shows when its times are compared with the log.
    for (const time of (value as Partial<Appended> | undefined)?.times ?? []) {
      const there = this.#times[this.#length];
      this.#length += 1;
      if (there === undefined) this.#ahead ??= where;
      else if (there !== time) this.#other ??= { seq: this.#length, where };
    }
  }
}
