import { basename, dirname } from 'node:path';
import type { EventOf, FileChange, FileState, SessionEvent } from '../../protocol/events.ts';
import { isInside } from '../base/paths.ts';
import type { GoneDirectory } from './file-review.ts';

type FilesChanged = EventOf<'files_changed'>;

/** What the log says of one path. */
export type Step = ChangedStep | ReviewedStep;

interface ChangedStep {
  readonly kind: 'changed';
  readonly seq: number;
  readonly by: FilesChanged['by'];
  readonly before: FileState;
  readonly after: FileState;
  /** The path from which the agent has moved the file here, and the one to which it has moved it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Ids of the lines that a rejection has taken back; undefined for all of them. */
  readonly lines?: readonly string[] | undefined;
  /** The log knows already what else was done to the path since the call began. */
  readonly isOverlapped: boolean;
}

/** What is accepted of the path, when it was as `now`. */
interface ReviewedStep {
  readonly kind: 'reviewed';
  readonly seq: number;
  readonly base: FileState;
  readonly now: FileState;
  /** Ids of the lines that were accepted; undefined for all of them. */
  readonly lines?: readonly string[] | undefined;
}

/** A fold over the log: the steps of each path, oldest first. What was done before an import was not done here. */
export class PathSteps {
  readonly #steps = new Map<string, Step[]>();
  readonly #begun = new Map<string, number>();
  /** Above the paths. */
  readonly #directories = new Set<string>();

  apply(event: SessionEvent): void {
    if (event.type === 'tool_started') this.#begun.set(event.id, event.seq);
    if (event.type === 'imported') this.#steps.clear();
    if (event.type === 'reviewed') {
      const { path, seq, base, now, lines } = event;
      this.#stepsOf(path).push({ kind: 'reviewed', seq, base, now, lines });
    }
    if (event.type !== 'files_changed') return;
    const begun = event.by === 'tool' ? this.#begun.get(event.id) : undefined;
    const sources = event.by === 'tool' ? movesIn(event.changes) : new Map<string, string>();
    const targets = new Map([...sources].map(([to, from]) => [from, to]));
    for (const { path, before, after } of event.changes) {
      const steps = this.#stepsOf(path);
      steps.push({
        kind: 'changed',
        seq: event.seq,
        by: event.by,
        before,
        after,
        lines: event.lines,
        from: sources.get(path),
        to: targets.get(path),
        isOverlapped: begun !== undefined && steps.some((step) => isSince(step, begun)),
      });
    }
  }

  of(path: string): readonly Step[] {
    return this.#steps.get(path) ?? [];
  }

  /** Directories above the path that the session has made, the nearest one first. */
  madeAbove(path: string): readonly string[] {
    const made: string[] = [];
    for (let parent = dirname(path); this.#found(parent)?.kind === 'absent'; parent = dirname(parent))
      made.push(parent);
    return made;
  }

  /** Directories above the path that the session found and has taken away, the outermost first. */
  goneAbove(path: string): readonly GoneDirectory[] {
    const gone: GoneDirectory[] = [];
    for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent)) {
      const found = this.#found(parent);
      if (found?.kind === 'directory') gone.unshift({ path: parent, mode: found.mode });
    }
    return gone;
  }

  /** What the first change of the path has found there. */
  #found(path: string): FileState | undefined {
    const [first] = this.of(path);
    return first?.kind === 'changed' ? first.before : undefined;
  }

  /** The path itself, where it has steps, and all such paths below it. */
  within(path: string): readonly string[] {
    const below = this.#directories.has(path)
      ? [...this.#steps.keys()].filter((each) => isAbove(path, each))
      : [];
    return this.#steps.has(path) ? [path, ...below] : below;
  }

  /** All paths that moves lead to from this one, or from which they lead to it. */
  joinedWith(path: string): readonly string[] {
    const joined = new Set([path]);
    // What is added meanwhile is gone through too.
    for (const each of joined)
      for (const step of this.of(each))
        if (step.kind === 'changed')
          for (const other of [step.from, step.to]) if (other !== undefined) joined.add(other);
    return [...joined];
  }

  #stepsOf(path: string): Step[] {
    const known = this.#steps.get(path);
    if (known) return known;
    const steps: Step[] = [];
    this.#steps.set(path, steps);
    for (let above = dirname(path); !this.#directories.has(above); above = dirname(above))
      this.#directories.add(above);
    return steps;
  }
}

function isAbove(directory: string, path: string): boolean {
  return path !== directory && isInside(directory, path);
}

function isSince(step: Step, begun: number): boolean {
  return step.seq > begun && step.kind === 'changed' && step.by !== 'tool';
}

/**
 * Which files one call has moved, the old path by the new one: one is gone, or has given way to a folder or a link, and there
 * is one with its content.
 */
export function movesIn(changes: readonly FileChange[]): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  // Of several with the same content, those with the same name belong together.
  pair(changes, moves, ({ path }, hash) => `${hash} ${basename(path)}`);
  pair(changes, moves, (_, hash) => hash);
  return moves;
}

/** Each old path is that of one move, and the first ones belong together. */
function pair(
  changes: readonly FileChange[],
  moves: Map<string, string>,
  keyOf: (change: FileChange, hash: string) => string,
): void {
  const taken = new Set(moves.values());
  const gone = new Map<string, string[]>();
  for (const change of changes) {
    const hash = change.after.kind === 'file' ? undefined : movable(change.before);
    if (hash === undefined || taken.has(change.path)) continue;
    const key = keyOf(change, hash);
    const paths = gone.get(key);
    if (paths) paths.push(change.path);
    else gone.set(key, [change.path]);
  }
  for (const paths of gone.values()) paths.reverse();
  for (const change of changes) {
    const hash = change.before.kind === 'absent' ? movable(change.after) : undefined;
    if (hash === undefined || moves.has(change.path)) continue;
    const from = gone.get(keyOf(change, hash))?.pop();
    if (from !== undefined) moves.set(change.path, from);
  }
}

/** The name of a content by which a file is known again: empty ones are all alike. */
function movable(state: FileState): string | undefined {
  return state.kind === 'file' && state.size > 0 && state.hash !== '' ? state.hash : undefined;
}
