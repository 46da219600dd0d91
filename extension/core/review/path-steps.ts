import type { EventOf, FileState, SessionEvent } from '../../protocol/events.ts';

type FilesChanged = EventOf<'files_changed'>;

/** What the log says of one path. */
export type Step =
  | {
      readonly kind: 'changed';
      readonly seq: number;
      readonly by: FilesChanged['by'];
      readonly before: FileState;
      readonly after: FileState;
      /** The path from which the file was moved here. */
      readonly from?: string | undefined;
      /** Ids of the lines that a rejection has taken back; undefined for all of them. */
      readonly lines?: readonly string[] | undefined;
      /** The log knows already what else was done to the path since the call began. */
      readonly isOverlapped: boolean;
    }
  /** What is accepted of the path, when it was as `now`. */
  | {
      readonly kind: 'reviewed';
      readonly seq: number;
      readonly base: FileState;
      readonly now: FileState;
      /** Ids of the lines that were accepted; undefined for all of them. */
      readonly lines?: readonly string[] | undefined;
    };

type Changed = Extract<Step, { kind: 'changed' }>;

/** A fold over the log: the steps of each path, oldest first. */
export class PathSteps {
  readonly #steps = new Map<string, Step[]>();
  readonly #begun = new Map<string, number>();

  apply(event: SessionEvent): void {
    if (event.type === 'tool_started') this.#begun.set(event.id, event.seq);
    if (event.type === 'imported' && event.elsewhere) this.#steps.clear();
    if (event.type === 'reviewed') {
      const { path, seq, base, now, lines } = event;
      this.#stepsOf(path).push({ kind: 'reviewed', seq, base, now, lines });
    }
    if (event.type !== 'files_changed') return;
    const begun = event.by === 'tool' ? this.#begun.get(event.id) : undefined;
    for (const { path, before, after } of event.changes) {
      const steps = this.#stepsOf(path);
      steps.push({
        kind: 'changed',
        seq: event.seq,
        by: event.by,
        before,
        after,
        lines: event.lines,
        from: event.changes.find((other) => isSource(other, before, after))?.path,
        isOverlapped: begun !== undefined && steps.some((step) => isSince(step, begun)),
      });
    }
  }

  of(path: string): readonly Step[] {
    return this.#steps.get(path) ?? [];
  }

  #stepsOf(path: string): Step[] {
    const steps = this.#steps.get(path) ?? [];
    this.#steps.set(path, steps);
    return steps;
  }
}

function isSince(step: Step, begun: number): boolean {
  return step.seq > begun && step.kind === 'changed' && step.by !== 'tool';
}

/** One file is gone, and here is one with the same content. */
function isSource(other: Pick<Changed, 'before' | 'after'>, before: FileState, after: FileState): boolean {
  if (before.kind !== 'absent' || after.kind !== 'file' || other.after.kind !== 'absent') return false;
  return other.before.kind === 'file' && other.before.hash === after.hash;
}
