import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { effectOf } from '../../protocol/tool-names.ts';
import { isRestored } from './restored-file.ts';

/** A restore that can be undone. The files would return to their states after event `to`. */
export interface Redo {
  readonly restored: EventOf<'restored'>;
  readonly to: number;
}

/** What “Undo” and “Redo” would do next. */
export interface UndoStack {
  /**
   * “Undo” returns the files to their states after this event. It is the last event before the newest run
   * whose changes are still in the files.
   */
  readonly undoTo: number | undefined;
  readonly redo: Redo | undefined;
}

/**
 * Folds the whole log. After the agent has changed something else, no earlier undo can be redone. A rejection
 * is an edit of the user, so it is no step of the stack.
 */
export function undoStackOf(events: readonly SessionEvent[]): UndoStack {
  const fold = new UndoFold();
  for (const event of events) fold.apply(event);
  return fold;
}

/**
 * `position`: the files are as they were after this event. `isHalf`: the step is half done or half taken
 * back, so only some of the files are.
 */
type Step = Redo & { readonly position: number; readonly isHalf?: true };

const NEWEST = Number.POSITIVE_INFINITY;

class UndoFold implements UndoStack {
  /**
   * Each run that changed a file, or may have. `start` is the `seq` of its `turn_started`, `changed` that of
   * its first change.
   */
  #runs: { readonly start: number; readonly changed: number }[] = [];
  #restores: Step[] = [];
  /** The position of the files from event `seq` on. */
  #positions: { readonly seq: number; readonly position: number }[] = [];
  /** The `seq` before the changes of each restore, by its id. */
  readonly #begins = new Map<string, number>();
  /** Ids of commands. Such a call may have changed nothing, even where its changes are not fully known. */
  readonly #commands = new Set<string>();
  #run = 0;

  get undoTo(): number | undefined {
    const run = this.#runs.findLast(({ changed }) => changed <= this.#position);
    return run && run.start - 1;
  }

  get redo(): Redo | undefined {
    return this.#restores.at(-1);
  }

  apply(event: SessionEvent): void {
    if (event.type === 'turn_started') this.#run = event.seq;
    else if (event.type === 'tool_call' && effectOf(event.name) === 'runs') this.#commands.add(event.id);
    else if (event.type === 'files_changed') this.#change(event);
    else if (event.type === 'restored') this.#restore(event);
    else if (event.type === 'imported') [this.#runs, this.#restores, this.#positions] = [[], [], []];
  }

  get #position(): number {
    return this.#restores.at(-1)?.position ?? NEWEST;
  }

  #change({ by, id, seq, changes, uncovered }: EventOf<'files_changed'>): void {
    if (by === 'restore' && !this.#begins.has(id)) this.#begins.set(id, seq - 1);
    const isUnknown = uncovered !== undefined && !this.#commands.has(id);
    if (by !== 'tool' || (changes.length === 0 && !isUnknown)) return;
    this.#restores = [];
    this.#positions.push({ seq, position: NEWEST });
    if (this.#runs.at(-1)?.start !== this.#run) this.#runs.push({ start: this.#run, changed: seq });
  }

  #restore(restored: EventOf<'restored'>): void {
    const { redoes, seq, interrupted } = restored;
    if (redoes === undefined) this.#undone(restored);
    else if (interrupted && restored.files.some(isRestored)) this.#halfRedone(redoes);
    else if (isDone(restored))
      this.#restores = this.#restores.filter(({ restored: { id } }) => id !== redoes);
    this.#positions.push({ seq, position: this.#position });
  }

  #undone(restored: EventOf<'restored'>): void {
    const { id, to, seq, interrupted } = restored;
    const last = this.#restores.at(-1);
    const before = this.#begins.get(id) ?? seq - 1;
    if (interrupted) this.#restores.push({ restored, to: before, position: this.#position, isHalf: true });
    else if (!isDone(restored) || !this.#takesBack(restored)) return;
    // This restore completes the interrupted one, so “Redo” must go back to the event before both.
    else if (last?.isHalf)
      this.#restores.splice(-1, 1, { restored, to: last.to, position: this.#stoodAt(to) });
    else this.#restores.push({ restored, to: before, position: this.#stoodAt(to) });
  }

  /**
   * An interrupted “Redo” can be repeated, and what it did can be undone. Some files are as they were before
   * the undo.
   */
  #halfRedone(id: string): void {
    this.#restores = this.#restores.map((step, index, { [index - 1]: below }) =>
      step.restored.id === id ? { ...step, position: below?.position ?? NEWEST, isHalf: true } : step,
    );
  }

  /** Whether the restore undoes changes. It lists no files of a run whose changes are unknown. */
  #takesBack({ files, to, fork }: EventOf<'restored'>): boolean {
    const isBehind = ({ changed }: { readonly changed: number }) => changed > to && changed <= this.#position;
    return files.length > 0 || (fork === undefined && this.#runs.some(isBehind));
  }

  #stoodAt(to: number): number {
    return Math.min(to, this.#positions.findLast(({ seq }) => seq <= to)?.position ?? NEWEST);
  }
}

/**
 * Whether the restore put the files back. False where all of them stayed as they were, or where it was
 * interrupted.
 */
function isDone({ files, interrupted }: EventOf<'restored'>): boolean {
  return !interrupted && (files.some(isRestored) || files.length === 0);
}
