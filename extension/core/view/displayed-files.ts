import type { FileState, SessionEvent } from '../../protocol/events.ts';
import { FileHistory } from '../checkpoints/file-history.ts';

/** A stretch of a log, up to where it was exported and imported. */
interface Stretch {
  readonly from: number;
  readonly history: FileHistory;
}

/** The files of a session to look at, a fold over its log: also what was done to them elsewhere, before an import. */
export class ShownFiles {
  readonly #stretches: Stretch[] = [{ from: 0, history: new FileHistory() }];

  static of(events: readonly SessionEvent[]): ShownFiles {
    const files = new ShownFiles();
    for (const event of events) files.apply(event);
    return files;
  }

  apply(event: SessionEvent): void {
    if (event.type === 'imported') this.#stretches.push({ from: event.seq, history: new FileHistory() });
    this.own.apply(event);
  }

  /** What was done here, which alone may be written. */
  get own(): FileHistory {
    // There is always one.
    return (this.#stretches.at(-1) as Stretch).history;
  }

  /** Sequence number of the newest event. */
  get end(): number {
    return this.own.end;
  }

  /** All that the session has ever changed, here or elsewhere. */
  get paths(): readonly string[] {
    return [...new Set(this.#stretches.flatMap(({ history }) => history.paths))];
  }

  /** As `FileHistory.stateAt`. */
  stateAt(path: string, seq: number): FileState | undefined {
    return this.#historyOf(path, seq)?.stateAt(path, seq);
  }

  /** As `FileHistory.isChangedAt`. */
  isChangedAt(path: string, seq: number): boolean {
    return this.#historyOf(path, seq)?.isChangedAt(path, seq) ?? false;
  }

  /** The one that knows the path, the newest until then. */
  #historyOf(path: string, seq: number): FileHistory | undefined {
    const known = this.#stretches.filter(({ history }) => history.changesOf(path).length > 0);
    return (known.findLast(({ from }) => from <= seq) ?? known[0])?.history;
  }
}
