import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { titleOfPrompt } from '../log/session-title.ts';

/** The call that changed files, in the terms by which a user finds it in the session. */
export interface CallPlace {
  readonly by: EventOf<'files_changed'>['by'];
  /** Both count from 1; `call` restarts in each run. */
  readonly run: number;
  readonly call: number;
  readonly tool: string;
  /** The beginning of the run's prompt. */
  readonly prompt: string;
}

/** A fold over the log: maps the `seq` of each `files_changed` to the call that made it. */
export class CallPlaces {
  readonly #calls = new Map<string, Omit<CallPlace, 'by'>>();
  readonly #places = new Map<number, CallPlace>();
  #run = 0;
  #call = 0;
  #prompt = '';

  apply(event: SessionEvent): void {
    if (event.type === 'user') this.#prompt = titleOfPrompt(event.content);
    else if (event.type === 'turn_started') [this.#run, this.#call] = [event.turn, 0];
    else if (event.type === 'tool_call') this.#calls.set(event.id, this.#next(event.name));
    else if (event.type === 'files_changed') {
      const place = this.#calls.get(event.id) ?? { run: this.#run, call: 0, tool: '', prompt: this.#prompt };
      this.#places.set(event.seq, { ...place, by: event.by });
    }
  }

  of(seq: number): CallPlace | undefined {
    return this.#places.get(seq);
  }

  #next(tool: string): Omit<CallPlace, 'by'> {
    this.#call += 1;
    return { run: this.#run, call: this.#call, tool, prompt: this.#prompt };
  }
}
