import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { isRestored } from './restored-file.ts';

/** A restore that can be taken back, and the event after which the files would stand then. */
export interface Redo {
  readonly restored: EventOf<'restored'>;
  readonly to: number;
}

/** What “Undo” and “Redo” would do next. */
export interface UndoStack {
  /** The event after which the files would stand: the last before the newest run whose changes are still there. */
  readonly undoTo: number | undefined;
  readonly redo: Redo | undefined;
}

/**
 * A fold over the whole log: what was undone cannot be done again once the agent has changed something else. A rejection
 * is an edit of the user, and like those no step of it.
 */
export function undoStackOf(events: readonly SessionEvent[]): UndoStack {
  const fold = new UndoFold();
  for (const event of events) fold.apply(event);
  return fold;
}

/** `position`: the files stand where they stood after this event; those of a step that is half done or half taken back, in part. */
type Step = Redo & { readonly position: number; readonly isHalf?: true };

const NEWEST = Number.POSITIVE_INFINITY;

class UndoFold implements UndoStack {
  /** Each run that has changed a file, known or not: `seq` of its `turn_started`, and of its first change. */
  #runs: { readonly start: number; readonly changed: number }[] = [];
  #restores: Step[] = [];
  /** Where the files stood from an event on. */
  #positions: { readonly seq: number; readonly position: number }[] = [];
  /** `seq` before the changes of each restore, by its id. */
  readonly #begins = new Map<string, number>();
  /** Calls that may have changed nothing, though not all that they can have changed is known. */
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
    else if (event.type === 'tool_call' && event.name === 'bash') this.#commands.add(event.id);
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
    // It goes on where the interrupted one was left: the way back leads to before both.
    else if (last?.isHalf)
      this.#restores.splice(-1, 1, { restored, to: last.to, position: this.#stoodAt(to) });
    else this.#restores.push({ restored, to: before, position: this.#stoodAt(to) });
  }

  /** It can be done again, and what it had done can be undone: the files stand in part where they stood before the undo. */
  #halfRedone(id: string): void {
    this.#restores = this.#restores.map((step, index, { [index - 1]: below }) =>
      step.restored.id === id ? { ...step, position: below?.position ?? NEWEST, isHalf: true } : step,
    );
  }

  /** Of a run that was never found out there are no files. */
  #takesBack({ files, to, fork }: EventOf<'restored'>): boolean {
    const isBehind = ({ changed }: { readonly changed: number }) => changed > to && changed <= this.#position;
    return files.length > 0 || (fork === undefined && this.#runs.some(isBehind));
  }

  #stoodAt(to: number): number {
    return Math.min(to, this.#positions.findLast(({ seq }) => seq <= to)?.position ?? NEWEST);
  }
}

/** The files are there: not so where all of them stayed as they were, or where it was interrupted. */
function isDone({ files, interrupted }: EventOf<'restored'>): boolean {
  return !interrupted && (files.some(isRestored) || files.length === 0);
}
