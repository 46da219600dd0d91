import type { EventOf, SessionEvent } from '../../protocol/events.ts';

/** What “Undo” and “Redo” would do next. */
export interface UndoStack {
  /** The event after which the files would stand: the last before the newest run whose changes are still there. */
  readonly undoTo: number | undefined;
  /** The restore that would be taken back, and the event after which the files would stand. */
  readonly redo: { readonly restored: EventOf<'restored'>; readonly to: number } | undefined;
}

/** A fold over the whole log: what was undone and then changed in another way cannot be done again, as in an editor. */
export function undoStackOf(events: readonly SessionEvent[]): UndoStack {
  const fold = new UndoFold();
  for (const event of events) fold.apply(event);
  return fold;
}

class UndoFold implements UndoStack {
  /** `seq` of the `turn_started` of each run that has changed a file. */
  #runs: number[] = [];
  #restores: { readonly restored: EventOf<'restored'>; readonly to: number }[] = [];
  /** `seq` before the changes of each restore, by its id. */
  readonly #begins = new Map<string, number>();
  #run = 0;

  get undoTo(): number | undefined {
    const run = this.#runs.findLast((start) => start <= this.#position);
    return run === undefined ? undefined : run - 1;
  }

  get redo() {
    return this.#restores.at(-1);
  }

  apply(event: SessionEvent): void {
    if (event.type === 'turn_started') this.#run = event.seq;
    else if (event.type === 'files_changed') this.#change(event);
    else if (event.type === 'restored') this.#restore(event);
    else if (event.type === 'imported' && event.elsewhere) [this.#runs, this.#restores] = [[], []];
  }

  /** The files stand where they stood after this event. */
  get #position(): number {
    return this.#restores.at(-1)?.restored.to ?? Number.POSITIVE_INFINITY;
  }

  #change({ by, id, seq, changes }: EventOf<'files_changed'>): void {
    if (by === 'restore') this.#begins.set(id, seq - 1);
    if (by === 'restore' || changes.length === 0) return;
    this.#runs = this.#runs.filter((start) => start <= this.#position);
    this.#restores = [];
    if (by === 'tool' && this.#runs.at(-1) !== this.#run) this.#runs.push(this.#run);
  }

  #restore(restored: EventOf<'restored'>): void {
    const { redoes, id, seq } = restored;
    if (redoes === undefined) this.#restores.push({ restored, to: this.#begins.get(id) ?? seq - 1 });
    else this.#restores = this.#restores.filter((other) => other.restored.id !== redoes);
  }
}
