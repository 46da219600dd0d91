import type { EventOf, FileState, SessionEvent } from '../../protocol/events.ts';
import { isSameState } from './file-states.ts';

/** One change of a path, with its place in the log. */
export interface PathChange {
  readonly seq: number;
  /** Of the call, the restore or the rejection. */
  readonly id: string;
  readonly by: EventOf<'files_changed'>['by'];
  readonly before: FileState;
  readonly after: FileState;
}

/** What each path was, as far as this session knows: a fold over `files_changed`. Paths are absolute, and of this machine. */
export class FileHistory {
  readonly #paths = new Map<string, PathChange[]>();

  static of(events: readonly SessionEvent[]): FileHistory {
    const history = new FileHistory();
    for (const event of events) history.apply(event);
    return history;
  }

  apply(event: SessionEvent): void {
    if (event.type === 'imported' && event.elsewhere) this.#paths.clear();
    if (event.type !== 'files_changed') return;
    const { seq, id, by } = event;
    for (const { path, before, after } of event.changes) {
      const changes = this.#paths.get(path);
      const change = { seq, id, by, before, after };
      if (changes) changes.push(change);
      else this.#paths.set(path, [change]);
    }
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
   * What lay there when event `seq` had happened, as far as the session knows: what its last change had left, else what
   * its first one found. Undefined where it never changed the path.
   */
  stateAt(path: string, seq: number): FileState | undefined {
    const changes = this.changesOf(path);
    return changes.findLast((change) => change.seq <= seq)?.after ?? changes[0]?.before;
  }

  /** What the session has changed behind event `seq`: of each path its changes, oldest first. */
  changedSince(seq: number): ReadonlyMap<string, readonly PathChange[]> {
    const later = [...this.#paths].map(
      ([path, changes]) => [path, changes.filter((change) => change.seq > seq)] as const,
    );
    return new Map(later.filter(([, changes]) => changes.length > 0));
  }
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
