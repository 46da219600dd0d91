import type { EventOf, FileState, SessionEvent } from '../../protocol/events.ts';
import { isSameState } from './file-state.ts';

interface Known {
  /** From this event on. */
  readonly from: number;
  readonly state: FileState;
  /** The last event at which it was seen to be so. */
  seen: number;
  isInRun: boolean;
}

/**
 * What lay at each path after each event, as far as a log tells: what calls, restores and rejections have found there, and
 * what they have left. Where one has found something else than the last one had left, somebody else has changed it in
 * between. When is not known: it counts from the end of the run on, between two calls of one run from behind the first.
 */
export class StateIndex {
  readonly #paths = new Map<string, Known[]>();
  /** When what is not ended yet has looked. */
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

  /** Before the first event of which it is known, what that tells. */
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

/** Of a file that was never read, size and mode have to do. */
function isOther(one: FileState, other: FileState): boolean {
  if (isSameState(one, other)) return false;
  if (one.kind !== 'file' || other.kind !== 'file' || (one.hash !== '' && other.hash !== '')) return true;
  return one.size !== other.size || one.mode !== other.mode;
}
