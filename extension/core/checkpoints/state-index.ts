import type { EventOf, FileState, SessionEvent } from '../../protocol/events.ts';
import { isSameState } from './file-state.ts';

interface Known {
  /** The state holds from this event on. */
  readonly from: number;
  readonly state: FileState;
  /** The last event at which the path was seen in this state. */
  seen: number;
  isInRun: boolean;
}

/**
 * The state of each path after each event, as far as the log shows it. Calls, restores and rejections log
 * what they found and what they left. If one finds a state that the previous one did not leave, the user or
 * another program changed the path in between. The time of that change is unknown, so it counts from the end
 * of the run. Between two calls of one run, it counts from the event after the first call.
 */
export class StateIndex {
  readonly #paths = new Map<string, Known[]>();
  /** The event at which each unfinished call, restore or rejection read its files, by its id. */
  readonly #begun = new Map<string, number>();
  readonly #runEnds: number[] = [];
  #isRunning = false;

  apply(event: SessionEvent): void {
    if (event.type === 'turn_started') this.#isRunning = true;
    else if (event.type === 'turn_ended') this.#endRun(event);
    else if (event.type === 'tool_started') this.#begun.set(event.id, event.seq);
    else if (event.type === 'checkpoint') this.#look(event);
    else if (event.type === 'files_changed') this.#change(event);
  }

  /** For an event before the first observation of the path, returns what that observation implies. */
  stateAt(path: string, seq: number): FileState | undefined {
    const known = this.#paths.get(path);
    return (known?.findLast(({ from }) => from <= seq) ?? known?.[0])?.state;
  }

  #endRun({ seq }: EventOf<'turn_ended'>): void {
    this.#isRunning = false;
    this.#runEnds.push(seq);
    this.#begun.clear();
  }

  #look({ id, files, seq }: EventOf<'checkpoint'>): void {
    this.#begun.set(id, seq);
    for (const { path, state } of files) this.#find(path, state, seq);
  }

  #change({ id, changes, seq }: EventOf<'files_changed'>): void {
    const begun = this.#begun.get(id) ?? seq;
    for (const { path, before, after } of changes) {
      this.#find(path, before, begun);
      this.#add(path, { from: seq, state: after, seen: seq });
    }
  }

  #find(path: string, state: FileState, seen: number): void {
    const last = this.#paths.get(path)?.at(-1);
    if (!last) this.#add(path, { from: 0, state, seen });
    else if (last.seen >= seen) return;
    else if (isOther(last.state, state)) this.#add(path, { from: this.#endOf(last), state, seen });
    else Object.assign(last, { seen, isInRun: this.#isRunning });
  }

  #endOf({ seen, isInRun }: Known): number {
    const end = isInRun ? this.#runEnds.find((seq) => seq > seen) : undefined;
    return end ?? seen + 1;
  }

  #add(path: string, known: Omit<Known, 'isInRun'>): void {
    const all = this.#paths.get(path) ?? [];
    all.push({ ...known, isInRun: this.#isRunning });
    this.#paths.set(path, all);
  }
}

/** Whether the states differ. A file whose bytes were never read compares by size and mode. */
function isOther(one: FileState, other: FileState): boolean {
  if (isSameState(one, other)) return false;
  if (one.kind !== 'file' || other.kind !== 'file' || (one.hash !== '' && other.hash !== '')) return true;
  return one.size !== other.size || one.mode !== other.mode;
}
