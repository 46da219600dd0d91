import type { EventOf, FileState, SessionEvent } from '../../protocol/events.ts';
import { isSameState } from './file-state.ts';
import { isRestored } from './restored-file.ts';
import { StateIndex } from './state-index.ts';

/** One change of a path, with its sequence number in the log. */
export interface PathChange {
  readonly seq: number;
  /** Id of the call, the restore or the rejection that made the change. */
  readonly id: string;
  readonly by: EventOf<'files_changed'>['by'];
  readonly before: FileState;
  readonly after: FileState;
  /** Another program, which ran at the same time, may have made the change. */
  readonly shared?: boolean | undefined;
}

/** A restore that returned a path to its state after event `to`. `seq` is the restore's own event. */
interface PutBack {
  readonly seq: number;
  readonly to: number;
}

/**
 * The changes and states of each path, as far as this session knows them: a fold over its log. Paths are
 * absolute paths on this machine. An `imported` event clears the fold, because a file supplied the events
 * before it, and Harness does not trust its claims. `ShownFiles` shows those events, for display only.
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

  /** Every path that the session has ever changed. */
  get paths(): readonly string[] {
    return [...this.#paths.keys()];
  }

  /** The changes of one path, oldest first. */
  changesOf(path: string): readonly PathChange[] {
    return this.#paths.get(path) ?? [];
  }

  /**
   * The state of the path after event `seq`, as far as the session knows it (`StateIndex`). Undefined where
   * the session never changed the path.
   */
  stateAt(path: string, seq: number): FileState | undefined {
    return this.#paths.has(path) ? this.#states.stateAt(path, seq) : undefined;
  }

  /** Whether the last change up to event `seq` left the path different from what the session first found. */
  isChangedAt(path: string, seq: number): boolean {
    const changes = this.changesOf(path);
    const last = changes.findLast((change) => change.seq <= seq);
    return last !== undefined && !isSameState(last.after, (changes[0] ?? last).before);
  }

  /**
   * The changes after event `seq` that no restore has undone, by path. The changes of a path are oldest
   * first.
   */
  changedSince(seq: number): ReadonlyMap<string, readonly PathChange[]> {
    const standing = [...this.#paths].map(([path, changes]) => {
      const putBack = (this.#putBack.get(path) ?? []).filter(({ to }) => to >= seq);
      return [path, putBack.reduce(withoutRestores, changesBehind(seq, changes))] as const;
    });
    return new Map(standing.filter(([, changes]) => changes.length > 0));
  }

  /** Whether “Redo” took back the restore with this id, even if some of its files stayed as they were. */
  isRedone(id: string): boolean {
    return this.#redone.has(id);
  }

  /**
   * The state that the first change of the path after event `seq` found. Undefined where no change follows.
   */
  foundSince(path: string, seq: number): FileState | undefined {
    return changesBehind(seq, this.changesOf(path))[0]?.before;
  }
}

/**
 * Leaves out rejections, because they are edits of the user. Exception: where all changes of the path come
 * after `seq`, its rejections can only have undone some of these. Then they belong to the changes.
 */
function changesBehind(seq: number, changes: readonly PathChange[]): readonly PathChange[] {
  const later = changes.filter((change) => change.seq > seq);
  return later.length === changes.length ? later : later.filter(({ by }) => by !== 'review');
}

/**
 * Drops the changes between event `to` and the `restored` event `seq`, if a restore made the first of them.
 * This restore undid that one, with every later change, so together they change nothing. Rejections stay,
 * because no restore undoes them.
 */
function withoutRestores(changes: readonly PathChange[], { seq, to }: PutBack): readonly PathChange[] {
  const isBetween = (change: PathChange) => change.seq > to && change.seq < seq && change.by !== 'review';
  const [first, ...others] = changes.filter(isBetween);
  if (first?.by !== 'restore') return changes;
  const between = new Set([first, ...others]);
  return changes.filter((change) => !between.has(change));
}

/**
 * Whether only calls changed the path, with no other change in between, and it is as the first call found it.
 */
export function isThereAndBack(changes: readonly PathChange[]): boolean {
  const [change, ...others] = joinChanges(changes);
  if (!change || others.length > 0 || changes.some(({ by }) => by !== 'tool')) return false;
  return isSameState(change.before, change.after);
}

/** Consecutive changes of a path, joined into one. No other change of the path lies between them. */
export interface JoinedChange {
  readonly before: FileState;
  readonly after: FileState;
}

/** Joins the changes of one path (oldest first) that have no other change of the path between them. */
export function joinChanges(changes: readonly PathChange[]): readonly JoinedChange[] {
  const joined: JoinedChange[] = [];
  for (const { before, after } of changes) {
    const last = joined.at(-1);
    if (last && isSameState(last.after, before)) joined[joined.length - 1] = { before: last.before, after };
    else joined.push({ before, after });
  }
  return joined;
}

/** The changes of each path, oldest first. */
export type Changed = ReadonlyMap<string, readonly PathChange[]>;
