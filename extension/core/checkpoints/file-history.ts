import type { EventOf, FileState, SessionEvent } from '../../protocol/events.ts';
import { isSameState } from './file-state.ts';
import { isRestored } from './restored-file.ts';
import { StateIndex } from './state-index.ts';

/** One change of a path, with its place in the log. */
export interface PathChange {
  readonly seq: number;
  /** Of the call, the restore or the rejection. */
  readonly id: string;
  readonly by: EventOf<'files_changed'>['by'];
  readonly before: FileState;
  readonly after: FileState;
  /** A command of another session may have done it. */
  readonly shared?: boolean | undefined;
}

/** A restore that has put a path back to what it was when event `to` had happened. */
interface PutBack {
  readonly seq: number;
  readonly to: number;
}

/**
 * What was done to each path, and what it was, as far as this session knows: a fold over its log. Paths are absolute, and of
 * this machine: what stands before an import came from a file, which says anything (`ShownFiles` has it, for the eye alone).
 */
export class FileHistory {
  readonly #paths = new Map<string, PathChange[]>();
  /** Oldest first. */
  readonly #putBack = new Map<string, PutBack[]>();
  readonly #redone = new Set<string>();
  #states = new StateIndex();
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
    if (event.type === 'restored') this.#restored(event);
    if (event.type === 'files_changed') this.#changed(event);
  }

  #changed({ seq, id, by, changes: changed }: EventOf<'files_changed'>): void {
    for (const { path, before, after, shared } of changed) {
      const changes = this.#paths.get(path);
      const change = { seq, id, by, before, after, shared };
      if (changes) changes.push(change);
      else this.#paths.set(path, [change]);
    }
  }

  #restored({ seq, to, files, redoes, interrupted }: EventOf<'restored'>): void {
    const done = files.filter(isRestored);
    if (redoes !== undefined && done.length > 0 && !interrupted) this.#redone.add(redoes);
    for (const { path } of done) {
      const putBack = this.#putBack.get(path);
      if (putBack) putBack.push({ seq, to });
      else this.#putBack.set(path, [{ seq, to }]);
    }
  }

  #begin(): void {
    this.#paths.clear();
    this.#putBack.clear();
    this.#redone.clear();
    this.#states = new StateIndex();
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
   * What lay there when event `seq` had happened, as far as the session knows (`StateIndex`). Undefined where it never
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

  /** What the session has changed behind event `seq`, and nothing has taken back: of each path its changes, oldest first. */
  changedSince(seq: number): ReadonlyMap<string, readonly PathChange[]> {
    const standing = [...this.#paths].map(([path, changes]) => {
      const putBack = (this.#putBack.get(path) ?? []).filter(({ to }) => to >= seq);
      return [path, putBack.reduce(withoutRestores, changesBehind(seq, changes))] as const;
    });
    return new Map(standing.filter(([, changes]) => changes.length > 0));
  }

  /** Whether a restore, by its id, was taken back by “Redo”, be it that some of its files stayed as they were. */
  isRedone(id: string): boolean {
    return this.#redone.has(id);
  }

  /** What the first change of the path behind event `seq` has found there. Undefined where there is none. */
  foundSince(path: string, seq: number): FileState | undefined {
    return changesBehind(seq, this.changesOf(path))[0]?.before;
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

/**
 * The changes without restores that this one has taken back, and what was done since: together with it that is nothing. A
 * rejection meanwhile is not, as no restore takes it back.
 */
function withoutRestores(changes: readonly PathChange[], { seq, to }: PutBack): readonly PathChange[] {
  const isBetween = (change: PathChange) => change.seq > to && change.seq < seq && change.by !== 'review';
  const [first, ...others] = changes.filter(isBetween);
  if (first?.by !== 'restore') return changes;
  const between = new Set([first, ...others]);
  return changes.filter((change) => !between.has(change));
}

/** Calls have left the path as they had found it, and nobody else has had a hand in between. */
export function isThereAndBack(changes: readonly PathChange[]): boolean {
  const [stretch, ...others] = joinChanges(changes);
  if (!stretch || others.length > 0 || changes.some(({ by }) => by !== 'tool')) return false;
  return isSameState(stretch.before, stretch.after);
}

/** A stretch of changes in which nobody else had a hand. */
export interface Stretch {
  readonly before: FileState;
  readonly after: FileState;
}

/** Joins the changes of one path (oldest first) between which nobody else has changed it. */
export function joinChanges(changes: readonly PathChange[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const { before, after } of changes) {
    const last = stretches.at(-1);
    if (last && isSameState(last.after, before))
      stretches[stretches.length - 1] = { before: last.before, after };
    else stretches.push({ before, after });
  }
  return stretches;
}

/** Of each path its changes, oldest first. */
export type Changed = ReadonlyMap<string, readonly PathChange[]>;
