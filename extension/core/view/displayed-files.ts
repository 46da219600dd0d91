import type { FileState, SessionEvent } from '../../protocol/events.ts';
import { FileHistory } from '../checkpoints/file-history.ts';

/** A part of a log between two imports, or between an import and an end of the log. */
interface Segment {
  readonly from: number;
  readonly history: FileHistory;
}

/** A fold over a log for showing a session's files. It includes changes made elsewhere, before an import. */
export class ShownFiles {
  readonly #segments: Segment[] = [{ from: 0, history: new FileHistory() }];

  static of(events: readonly SessionEvent[]): ShownFiles {
    const files = new ShownFiles();
    for (const event of events) files.apply(event);
    return files;
  }

  apply(event: SessionEvent): void {
    if (event.type === 'imported') this.#segments.push({ from: event.seq, history: new FileHistory() });
    this.own.apply(event);
  }

  /** The changes made here. Harness may write only these files. */
  get own(): FileHistory {
    // The array is never empty.
    return (this.#segments.at(-1) as Segment).history;
  }

  /** Sequence number of the newest event. */
  get end(): number {
    return this.own.end;
  }

  /** All paths that the session ever changed, here or elsewhere. */
  get paths(): readonly string[] {
    return [...new Set(this.#segments.flatMap(({ history }) => history.paths))];
  }

  /** As `FileHistory.stateAt`. */
  stateAt(path: string, seq: number): FileState | undefined {
    return this.#historyOf(path, seq)?.stateAt(path, seq);
  }

  /** As `FileHistory.isChangedAt`. */
  isChangedAt(path: string, seq: number): boolean {
    return this.#historyOf(path, seq)?.isChangedAt(path, seq) ?? false;
  }

  /** The newest history up to `seq` that knows the path, else the first that knows it. */
  #historyOf(path: string, seq: number): FileHistory | undefined {
    const known = this.#segments.filter(({ history }) => history.changesOf(path).length > 0);
    return (known.findLast(({ from }) => from <= seq) ?? known[0])?.history;
  }
}
