import type { EventOf, FileState, SessionEvent } from '../../protocol/events.ts';
import { isSameState } from './file-states.ts';
import { KnownStates } from './known-states.ts';

/** One change of a path, with its place in the log. */
export interface PathChange {
  readonly seq: number;
  /** Of the call, the restore or the rejection. */
  readonly id: string;
  readonly by: EventOf<'files_changed'>['by'];
  /** Of a command, of which nobody knows how it came to what it has left. */
  readonly byCommand: boolean;
  readonly before: FileState;
  readonly after: FileState;
  /** A command of another session may have done it. */
  readonly shared?: boolean | undefined;
}

/**
 * What was done to each path, and what it was, as far as this session knows: a fold over its log. Paths are absolute, and of
 * this machine: what stands before an import came from a file, which says anything (`ShownFiles` has it, for the eye alone).
 */
export class FileHistory {
  readonly #paths = new Map<string, PathChange[]>();
  #states = new KnownStates();
  /** Calls that have said what they would change, and not yet what they have changed. */
  readonly #foreseen = new Set<string>();
  #end = 0;

  static of(events: readonly SessionEvent[]): FileHistory {
    const history = new FileHistory();
    for (const event of events) history.apply(event);
    return history;
  }

  apply(event: SessionEvent): void {
    this.#end = event.seq;
    if (event.type === 'imported') this.#begin();
    this.#states.apply(event);
    if (event.type === 'checkpoint') this.#foreseen.add(event.id);
    if (event.type !== 'files_changed') return;
    const { seq, id, by } = event;
    const byCommand = !this.#foreseen.delete(id) && by === 'tool';
    for (const { path, before, after, shared } of event.changes) {
      const changes = this.#paths.get(path);
      const change = { seq, id, by, byCommand, before, after, shared };
      if (changes) changes.push(change);
      else this.#paths.set(path, [change]);
    }
  }

  #begin(): void {
    this.#paths.clear();
    this.#states = new KnownStates();
  }

  /** Sequence number of the newest event. */
  get end(): number {
    return this.#end;
  }

  /** All that the session has ever changed. */
  get paths(): readonly string[] {
    return [...this.#paths.keys()];
  }

  /** Of one path, oldest first. */
  changesOf(path: string): readonly PathChange[] {
    return this.#paths.get(path) ?? [];
  }

  /**
   * What lay there when event `seq` had happened, as far as the session knows (`KnownStates`). Undefined where it never
   * changed the path.
   */
  stateAt(path: string, seq: number): FileState | undefined {
    return this.#paths.has(path) ? this.#states.stateAt(path, seq) : undefined;
  }

  /** Whether what the session had done to a path until event `seq` has left it otherwise than it had been found. */
  isChangedAt(path: string, seq: number): boolean {
    const changes = this.changesOf(path);
    const last = changes.findLast((change) => change.seq <= seq);
    return last !== undefined && !isSameState(last.after, (changes[0] ?? last).before);
  }

  /** What the session has changed behind event `seq`: of each path its changes, oldest first. */
  changedSince(seq: number): ReadonlyMap<string, readonly PathChange[]> {
    const later = [...this.#paths].map(([path, changes]) => [path, changesBehind(seq, changes)] as const);
    return new Map(later.filter(([, changes]) => changes.length > 0));
  }
}

/**
 * A rejection is an edit of the user's own, unless all that it can have taken back was done behind `seq` as well: then it
 * is a part of that.
 */
function changesBehind(seq: number, changes: readonly PathChange[]): readonly PathChange[] {
  const later = changes.filter((change) => change.seq > seq);
  return later.length === changes.length ? later : later.filter(({ by }) => by !== 'review');
}

/** A stretch of changes in which nobody else had a hand. */
export interface Stretch {
  readonly before: FileState;
  readonly after: FileState;
}

/** Joins the changes of one path (oldest first) between which nobody else has changed it. */
export function stretchesOf(changes: readonly PathChange[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const { before, after } of changes) {
    const last = stretches.at(-1);
    if (last && isSameState(last.after, before))
      stretches[stretches.length - 1] = { before: last.before, after };
    else stretches.push({ before, after });
  }
  return stretches;
}
