// A session as a list of moments: its runs, what was said and done in each, and how many files it had changed by then.
import type { FileState, SessionEvent } from '../../protocol/events.ts';
import { countWhile } from './count-while.ts';
import type { LogWindow } from './log-window.ts';

/** One prompt until the agent stopped, with what was done after that and before the next one. */
export interface TimelineRun {
  /** Index of its first event in the log. */
  readonly at: number;
  readonly first: SessionEvent;
  /** US dollars; absent where no price is known. */
  cost?: number;
}

const entryTypes = new Set<SessionEvent['type']>([
  'user',
  'text',
  'reasoning',
  'tool_call',
  'plan',
  'files_changed',
  'compaction',
  'error',
  'notice',
]);

/** Something was said or done that a reader looks for. */
export function isEntry(event: SessionEvent): boolean {
  return entryTypes.has(event.type) && !(event.type === 'reasoning' && event.content === '');
}

/** The event next to `seq` after which the panel shows something else; undefined where there is none in that direction. */
export function momentBeside(log: LogWindow, seq: number, direction: 1 | -1): number | undefined {
  const { events } = log;
  const isMoment = (event: SessionEvent) =>
    isEntry(event) || event.type === 'tool_result' || event.type === 'turn_ended';
  let index = log.countUpTo(direction > 0 ? seq : seq - 1) - (direction > 0 ? 0 : 1);
  for (let event = events[index]; event; event = events[index]) {
    if (isMoment(event)) return event.seq;
    index += direction;
  }
  return undefined;
}

/** A fold over a log. */
export class Timeline {
  readonly runs: TimelineRun[] = [];
  #count = 0;
  #isRunning = false;
  /** How many files are changed from an event on. */
  readonly #changed: { readonly seq: number; readonly files: number }[] = [];
  /** What was at each path before the session, as JSON. */
  readonly #originals = new Map<string, string>();
  /** The paths at which that is not any more. */
  readonly #differing = new Set<string>();

  /** Takes in what `log` has got since. */
  follow({ events }: LogWindow): void {
    for (; this.#count < events.length; this.#count += 1) {
      const event = events[this.#count];
      if (event) this.#take(event);
    }
  }

  /** How many files were, after event `seq`, not as they had been before the session. */
  filesAt(seq: number): number {
    return this.#changed[countWhile(this.#changed, (change) => change.seq <= seq) - 1]?.files ?? 0;
  }

  #take(event: SessionEvent): void {
    if (event.type === 'user' || event.type === 'turn_started') this.#begin(event);
    if (event.type === 'turn_ended') this.#isRunning = false;
    const run = this.runs.at(-1);
    if (event.type === 'usage' && event.cost !== undefined && run) run.cost = (run.cost ?? 0) + event.cost;
    if (event.type !== 'files_changed') return;
    for (const { path, before, after } of event.changes) this.#change(path, before, after);
    this.#changed.push({ seq: event.seq, files: this.#differing.size });
  }

  #begin(first: SessionEvent): void {
    if (!this.#isRunning) this.runs.push({ at: this.#count, first });
    this.#isRunning = true;
  }

  #change(path: string, before: FileState, after: FileState): void {
    const original = this.#originals.get(path) ?? JSON.stringify(before);
    this.#originals.set(path, original);
    if (JSON.stringify(after) === original) this.#differing.delete(path);
    else this.#differing.add(path);
  }
}
