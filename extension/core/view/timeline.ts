// A session as a list of moments: its runs, what was said and done in each, and how many files had changed.
import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { partitionPoint } from '../base/binary-search.ts';
import { changesContent } from '../checkpoints/file-state.ts';
import { ShownFiles } from './displayed-files.ts';
import type { LogWindow } from './log-window.ts';

/** From a prompt until the agent stopped, plus what happened after that and before the next prompt. */
export interface TimelineRun {
  /** Index of its first event in the log. */
  readonly at: number;
  readonly first: SessionEvent;
  /** US dollars; absent if no price is known. */
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

/** The event is something that a reader looks for. */
export function isTimelineEntry(event: SessionEvent): boolean {
  return entryTypes.has(event.type) && !(event.type === 'reasoning' && event.content === '');
}

/**
 * The event next to `seq` after which the panel shows something else; undefined if there is none in that
 * direction.
 */
export function momentBeside(log: LogWindow, seq: number, direction: 1 | -1): number | undefined {
  const { events } = log;
  const isMoment = (event: SessionEvent) =>
    isTimelineEntry(event) || event.type === 'tool_result' || event.type === 'turn_ended';
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
  readonly files = new ShownFiles();
  #count = 0;
  #isRunning = false;
  /** The number of paths that differ from their state before the session, from event `seq` on. */
  readonly #changed: { readonly seq: number; readonly paths: number }[] = [];
  /** The paths that differ after the newest event. */
  readonly #differing = new Set<string>();

  /** Reads the events that were added to `log` since the last call. */
  follow({ events }: LogWindow): void {
    for (; this.#count < events.length; this.#count += 1) {
      const event = events[this.#count];
      if (event) this.#take(event);
    }
  }

  /** The number of files that differed, after event `seq`, from their state before the session. */
  changedAt(seq: number): number {
    return this.#changed[partitionPoint(this.#changed, (change) => change.seq <= seq) - 1]?.paths ?? 0;
  }

  /** What was said and done in a run. */
  entriesOf(run: number, { events }: LogWindow): readonly SessionEvent[] {
    return events.slice(this.runs[run]?.at, this.runs[run + 1]?.at).filter(isTimelineEntry);
  }

  #take(event: SessionEvent): void {
    this.files.apply(event);
    if (event.type === 'user' || event.type === 'turn_started') this.#begin(event);
    else if (event.type === 'turn_ended') this.#isRunning = false;
    else if (event.type === 'usage') this.#pay(event);
    else if (event.type === 'files_changed') this.#change(event);
  }

  #begin(first: SessionEvent): void {
    if (!this.#isRunning) this.runs.push({ at: this.#count, first });
    this.#isRunning = true;
  }

  #pay({ cost }: EventOf<'usage'>): void {
    const run = this.runs.at(-1);
    if (run && cost !== undefined) run.cost = (run.cost ?? 0) + cost;
  }

  #change(event: EventOf<'files_changed'>): void {
    for (const { path } of event.changes.filter(changesContent)) {
      if (this.files.isChangedAt(path, event.seq)) this.#differing.add(path);
      else this.#differing.delete(path);
    }
    this.#changed.push({ seq: event.seq, paths: this.#differing.size });
  }
}
